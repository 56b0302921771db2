import Encodings

/// The names of a zip, byte for byte: in its directory, and in the header before each member.
///
/// libarchive cuts a name at a NUL, may turn a backslash round, believes the header before the member alone, and takes
/// what is glued before a zip in silence. So all names are looked at first: the two of a member must be the same.
///
/// - Source: APPNOTE.TXT 6.3, sections 4.3 and 4.5; 4.6.9 for the name in UTF-8.
struct ZipNames {
    let size: Int
    /// The bytes at a place; nil where the file is too short.
    let read: (_ offset: Int, _ count: Int) -> [UInt8]?

    /// - Throws: `ArchiveRefusal`.
    func check() throws {
        let directory = try findDirectory()
        var offset = directory.start
        var count = 0
        while offset < directory.end {
            count += 1
            guard count <= MemberStream.mostMembers else {
                throw ArchiveRefusal(reason: .tooManyMembers)
            }
            offset += try checkMember(offset)
        }
        guard offset == directory.end, count == directory.count else { throw damage }
    }

    private let damage = ArchiveRefusal(reason: .damaged)

    init(size: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?) {
        self.size = size
        self.read = read
    }

    /// Checks a member by its entry in the directory, and gives the length of the entry.
    private func checkMember(_ offset: Int) throws -> Int {
        let entry = try bytes(offset, 46, signature: 0x0201_4B50)
        let nameLength = entry.number(28, 2)
        let extraLength = entry.number(30, 2)
        let rest = try bytes(offset + 46, nameLength + extraLength)
        let name = Array(rest[..<nameLength])
        try checkName(name)
        let extra = Array(rest[nameLength...])
        try checkExtra(extra, name)

        // libarchive gives a pipe as a file. Files are 8, folders 4, links 10 (it tells those); 0 says nothing.
        let isOfUnix = entry[5] == 3
        guard !isOfUnix || [0, 4, 8, 10].contains(entry.number(38, 4) >> 28) else {
            throw ArchiveRefusal(reason: .special, name: name)
        }

        var place = entry.number(42, 4)
        if place == 0xFFFF_FFFF {
            // Only what is saturated stands in the field, in this order: both sizes, then the place.
            let before = [20, 24].count { entry.number($0, 4) == 0xFFFF_FFFF }
            guard let wide = ZipNames.fields(extra).last(where: { $0.id == 1 })?.content,
                wide.count >= before * 8 + 8
            else { throw damage }
            place = wide.number(before * 8, 8)
        }
        let header = try bytes(place, 30, signature: 0x0403_4B50)
        let own = try bytes(place + 30, nameLength + header.number(28, 2))
        guard header.number(26, 2) == nameLength, own.starts(with: name) else {
            throw ArchiveRefusal(reason: .damaged, name: name)
        }
        try checkExtra(Array(own[nameLength...]), name)
        return 46 + nameLength + extraLength + entry.number(32, 2)
    }

    private func checkName(_ name: [UInt8]) throws {
        if let refusal = MemberPlace.refusal(of: name) {
            throw ArchiveRefusal(reason: refusal, name: name)
        }
    }

    /// The name in UTF-8 takes the place of the other.
    private func checkExtra(_ extra: [UInt8], _ name: [UInt8]) throws {
        for field in ZipNames.fields(extra) where field.id == 0x7075 && field.content.count > 5 {
            try checkName(Array(field.content[5...]))
        }
    }

    private static func fields(_ extra: [UInt8]) -> [(id: Int, content: [UInt8])] {
        var fields: [(Int, [UInt8])] = []
        var offset = 0
        while offset + 4 <= extra.count {
            let end = offset + 4 + extra.number(offset + 2, 2)
            guard end <= extra.count else { break }
            fields.append((extra.number(offset, 2), Array(extra[(offset + 4)..<end])))
            offset = end
        }
        return fields
    }

    /// Where the directory lies: right before the record that ends the file.
    private func findDirectory() throws -> (start: Int, end: Int, count: Int) {
        // The record is the last that looks like one, which is what libarchive takes; a comment of up to 64 KiB follows it.
        let tailStart = max(0, size - 22 - 0xFFFF)
        let tail = try bytes(tailStart, size - tailStart)
        guard tail.count >= 22,
            let place = (0...tail.count - 22).last(where: { tail.number($0, 4) == 0x0605_4B50 })
        else { throw damage }
        let record = Array(tail[place...])
        // Behind the comment stands nothing, or what rounds a tape's blocks up.
        guard record.dropFirst(22 + record.number(20, 2)).allSatisfy({ $0 == 0 }),
            record.count >= 22 + record.number(20, 2)
        else { throw damage }
        var end = tailStart + place
        var (count, length, start) = (
            record.number(10, 2), record.number(12, 4), record.number(16, 4)
        )
        if end >= 20, let locator = read(end - 20, 20), locator.number(0, 4) == 0x0706_4B50 {
            end = locator.number(8, 8)
            let wide = try bytes(end, 56, signature: 0x0606_4B50)
            (count, length, start) = (wide.number(32, 8), wide.number(40, 8), wide.number(48, 8))
        }
        guard start >= 0, length >= 0, start <= size, length == end - start else { throw damage }
        return (start, end, count)
    }

    private func bytes(_ offset: Int, _ count: Int, signature: Int? = nil) throws -> [UInt8] {
        guard offset >= 0, offset <= size - count, let bytes = read(offset, count),
            signature == nil || bytes.number(0, 4) == signature
        else { throw damage }
        return bytes
    }
}

extension [UInt8] {
    /// The little-endian number of so many bytes at a place that is there; of eight, one past `Int` is negative.
    fileprivate func number(_ offset: Int, _ width: Int) -> Int {
        self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
