import Encodings
package import FileSystem
import Objects

/// What is wrong with the container of a vault file.
package enum ZipDamage: Error, Equatable {
    /// It does not begin as a vault file does: another program made it, or it is something else.
    case notOurs
    /// There is no whole end record at the very end: the file was cut, or something stands behind it.
    case end
    /// The record of a member in the directory has another form than a vault file's; its number, from 0.
    case directory(member: Int)
    /// A member has a name that no file of a store has.
    case name([UInt8])
    /// The members are not in order, or something stands between them.
    case order(name: [UInt8])
    case tooManyMembers
    /// A member is larger than any file of a store, or the header than a header may be.
    case tooLarge(name: [UInt8])
    /// The local header of a member does not agree with the directory.
    case localHeader(name: [UInt8])
    /// The bytes of a member are not those that its checksum was made of.
    case checksum(name: [UInt8])
    /// The file became shorter while it was read.
    case cut
}

/// The container of a vault file, read strictly: from its end, and every byte of every record must be the one that the
/// writer would have written.
///
/// The directory is checked as a whole before anything is believed; the local header and the checksum of a member when it
/// is read.
package final class StoredZip {
    package let file: StoredFile
    /// In file order: the header first, then by name.
    package let entries: [ZipEntry]

    package static let headerName: StaticString = "sgvault.json"
    static let headerNameBytes = Array("sgvault.json".utf8)
    /// How many members a file may have.
    package static let maximumMembers = 1 << 22
    /// The largest file of a store, in bytes.
    static let largestMember =
        ObjectLimit.blob + EnvelopeLayout.overhead + EnvelopeLayout.magicCount
    private static let windowCount = 1 << 20
    /// The longest record of a directory, in bytes: the longest name, and both lengths and the offset in 64 bits.
    private static let longestRecord = ZipRecords.centralFixed + 5 + 4 * 129 + 28

    /// - Throws: `ZipDamage`, `FileError`.
    package init(_ file: StoredFile) throws {
        self.file = file
        try StoredZip.checkBeginning(file)
        let directory = try StoredZip.findDirectory(file)
        entries = try StoredZip.readDirectory(
            file, count: directory.count, range: directory.range)
    }

    /// The bytes of a member, checked.
    ///
    /// - Throws: `ZipDamage`, `FileError`.
    package func read(_ entry: ZipEntry) throws -> [UInt8] {
        try StoredZip.checkSize(entry)
        try checkLocalHeader(entry)
        let bytes = try file.read(at: entry.start, count: entry.size)
        guard bytes.count == entry.size else { throw ZipDamage.cut }
        guard CRC32.checksum(bytes) == entry.checksum else {
            throw ZipDamage.checksum(name: entry.name)
        }
        return bytes
    }

    /// Lends the bytes of every member in file order, checked.
    ///
    /// Memory: a window of a mebibyte, or the largest member.
    package func forEach(
        _ body: (ZipEntry, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var window = UnsafeMutableRawBufferPointer.allocate(
            byteCount: StoredZip.windowCount, alignment: 16)
        defer { window.deallocate() }
        var (offset, count) = (0, 0)
        var header: [UInt8] = []
        for entry in entries {
            try StoredZip.checkSize(entry)
            let wanted = entry.end - entry.offset
            if entry.end > offset + count {
                // The beginning of the member may be there already: members stand side by side.
                let kept = UnsafeRawBufferPointer(
                    rebasing: window[min(entry.offset - offset, count)..<count])
                if wanted > window.count {
                    let larger = UnsafeMutableRawBufferPointer.allocate(
                        byteCount: wanted, alignment: 16)
                    larger.copyMemory(from: kept)
                    window.deallocate()
                    window = larger
                } else {
                    window.copyMemory(from: kept)
                }
                offset = entry.offset
                count =
                    try kept.count
                    + file.read(
                        at: offset + kept.count,
                        into: UnsafeMutableRawBufferPointer(rebasing: window[kept.count...]))
                guard entry.end <= offset + count else { throw ZipDamage.cut }
            }
            let place = entry.offset - offset
            let whole = UnsafeRawBufferPointer(rebasing: window[place..<place + wanted])
            header.removeAll(keepingCapacity: true)
            ZipRecords.appendLocal(entry, to: &header)
            guard whole.prefix(header.count).elementsEqual(header) else {
                throw ZipDamage.localHeader(name: entry.name)
            }
            let bytes = UnsafeRawBufferPointer(rebasing: whole[header.count...])
            guard CRC32.checksum(bytes) == entry.checksum else {
                throw ZipDamage.checksum(name: entry.name)
            }
            try body(entry, bytes)
        }
    }

    // MARK: -

    /// Whether bytes begin a vault file: the local header of `sgvault.json`, and a brace.
    private static func checkBeginning(_ file: StoredFile) throws {
        let beginning = try file.read(at: 0, count: 43)
        guard beginning.count == 43, beginning[30..<42].isEqual(to: headerName) else {
            throw ZipDamage.notOurs
        }
    }

    private static func findDirectory(
        _ file: StoredFile
    ) throws -> (count: Int, range: Range<Int>) {
        let longest = ZipRecords.endCount + ZipRecords.locatorCount + ZipRecords.end64Count
        let tailStart = max(0, file.size - longest)
        let tail = try file.read(at: tailStart, count: file.size - tailStart)
        guard tail.count == file.size - tailStart, tail.count >= ZipRecords.endCount else {
            throw ZipDamage.end
        }
        return try tail.withUnsafeBytes { tail in
            let end = tail.count - ZipRecords.endCount
            var count = tail.number(at: end + 10, as: UInt16.self)
            var size = tail.number(at: end + 12, as: UInt32.self)
            var start = tail.number(at: end + 16, as: UInt32.self)
            if count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF {
                guard tail.count == longest else { throw ZipDamage.end }
                count = tail.number(at: 32, as: UInt64.self)
                size = tail.number(at: 40, as: UInt64.self)
                start = tail.number(at: 48, as: UInt64.self)
            }
            // Anything but the numbers that fit is refused before one is used.
            guard (0...file.size).contains(start), (0...file.size - start).contains(size) else {
                throw ZipDamage.end
            }
            guard (1...maximumMembers).contains(count) else {
                throw count > maximumMembers ? ZipDamage.tooManyMembers : ZipDamage.end
            }
            guard size <= count * longestRecord else { throw ZipDamage.directory(member: 0) }
            let records = ZipRecords.end(count: count, directory: start..<start + size)
            guard file.size - start - size == records.count,
                tail.suffix(records.count).elementsEqual(records)
            else { throw ZipDamage.end }
            return (count, start..<start + size)
        }
    }

    /// Reads the directory in parts: a length that lies takes no memory.
    private static func readDirectory(
        _ file: StoredFile, count: Int, range: Range<Int>
    ) throws -> [ZipEntry] {
        let window = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(range.count, windowCount), alignment: 16)
        defer { window.deallocate() }
        var entries: [ZipEntry] = []
        // Where the window begins in the file, how much is in it, and what of it was read.
        var (offset, filled, place) = (range.lowerBound, 0, 0)
        var next = 0
        var record: [UInt8] = []
        for number in 0..<count {
            if filled - place < longestRecord, offset + filled < range.upperBound {
                offset += place
                place = 0
                let wanted = min(window.count, range.upperBound - offset)
                filled = try file.read(
                    at: offset, into: UnsafeMutableRawBufferPointer(rebasing: window[..<wanted]))
                guard filled == wanted else { throw ZipDamage.cut }
            }
            let bytes = UnsafeRawBufferPointer(rebasing: window[place..<filled])
            guard let entry = readCentral(bytes, at: 0) else {
                throw ZipDamage.directory(member: number)
            }
            record.removeAll(keepingCapacity: true)
            ZipRecords.appendCentral(entry, to: &record)
            guard bytes.count >= record.count, bytes.prefix(record.count).elementsEqual(record)
            else { throw ZipDamage.directory(member: number) }
            try check(entry, after: entries.last, at: next, before: range.lowerBound)
            next = entry.end
            entries.append(entry)
            place += record.count
        }
        guard offset + place == range.upperBound else { throw ZipDamage.directory(member: count) }
        guard next == range.lowerBound else {
            throw ZipDamage.order(name: entries.last?.name ?? [])
        }
        return entries
    }

    /// Whether a member has a name that it may have, in order, and stands where the one before it ends.
    private static func check(
        _ entry: ZipEntry, after last: ZipEntry?, at place: Int, before directory: Int
    ) throws(ZipDamage) {
        if let last {
            guard MemberName(entry.name) != nil else { throw .name(entry.name) }
            guard last.offset == 0 || last.name.lexicographicallyPrecedes(entry.name) else {
                throw .order(name: entry.name)
            }
        } else {
            guard entry.name.isEqual(to: headerName) else { throw .notOurs }
        }
        // A size that leads past the directory would overflow before it is refused.
        guard entry.offset == place, entry.size <= directory - place, entry.end <= directory else {
            throw .order(name: entry.name)
        }
    }

    /// The member that a record of the directory describes; nil where it is cut or its fields are out of reach.
    private static func readCentral(_ bytes: UnsafeRawBufferPointer, at place: Int) -> ZipEntry? {
        guard bytes.count - place >= ZipRecords.centralFixed else { return nil }
        let nameCount = bytes.number(at: place + 28, as: UInt16.self)
        let extraCount = bytes.number(at: place + 30, as: UInt16.self)
        let nameStart = place + ZipRecords.centralFixed
        guard bytes.count - nameStart >= nameCount + extraCount else { return nil }
        var size = bytes.number(at: place + 24, as: UInt32.self)
        var offset = bytes.number(at: place + 42, as: UInt32.self)
        var field = nameStart + nameCount + 4
        let extraEnd = nameStart + nameCount + extraCount
        if size == 0xFFFF_FFFF {
            guard extraEnd - field >= 16 else { return nil }
            size = bytes.number(at: field, as: UInt64.self)
            field += 16
        }
        if offset == 0xFFFF_FFFF {
            guard extraEnd - field >= 8 else { return nil }
            offset = bytes.number(at: field, as: UInt64.self)
        }
        guard size >= 0, offset >= 0 else { return nil }
        return ZipEntry(
            name: Array(bytes[nameStart..<nameStart + nameCount]), size: size,
            checksum: UInt32(truncatingIfNeeded: bytes.number(at: place + 16, as: UInt32.self)),
            offset: offset)
    }

    /// Before memory is taken.
    private static func checkSize(_ entry: ZipEntry) throws(ZipDamage) {
        guard entry.size <= largestMember else { throw .tooLarge(name: entry.name) }
    }

    private func checkLocalHeader(_ entry: ZipEntry) throws {
        var expected: [UInt8] = []
        ZipRecords.appendLocal(entry, to: &expected)
        guard try file.read(at: entry.offset, count: expected.count) == expected else {
            throw ZipDamage.localHeader(name: entry.name)
        }
    }
}
