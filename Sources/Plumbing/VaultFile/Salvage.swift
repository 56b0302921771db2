import Cryptography
import Encodings
package import FileSystem
import Objects

/// Brings what is sound out of a damaged vault file.
///
/// The file is searched for the records of members, of both kinds, wherever they stand. An object is sound where its bytes
/// hash to its name; any other file where its checksum fits.
///
/// - Source: docs/vault-file.md, "Salvage".
package struct Salvage {
    private let file: StoredFile
    /// What was brought out, and what has a record but was not.
    package private(set) var sound: Set<MemberName> = []
    private var seen: Set<MemberName> = []
    /// How many more bytes may be read: records that lie may point to the same bytes again and again.
    private var budget: Int

    private static let windowCount = 1 << 20
    /// No record is longer, but for its name and extra field.
    private static let longestRecord = 46 + 128 * 5 + 64

    package init(_ file: StoredFile) {
        self.file = file
        budget = 16 * file.size + 64 << 20
    }

    /// Names that have a record and no sound bytes, in order.
    package var damaged: [MemberName] { seen.subtracting(sound).sorted() }

    /// The heads that the header lists, where it is whole, and whose refs were not brought out.
    package func lostHeads() -> [VaultHeader.Head] {
        guard let beginning = try? file.read(at: 0, count: 42), beginning.count == 42,
            beginning[30...].isEqual(to: StoredZip.headerName)
        else { return [] }
        let size = beginning.withUnsafeBytes { $0.number(at: 22, as: UInt32.self) }
        guard size <= VaultHeader.limit, let bytes = try? file.read(at: 42, count: size),
            let header = try? VaultHeader(bytes)
        else { return [] }
        let refs = Set(sound.compactMap(\.ref))
        return header.heads.filter { !refs.contains($0.ref) }
    }

    /// Writes every sound member to a new store: the small ones first, so that records which lie about their size take no
    /// other member's turn.
    ///
    /// - Throws: `NewBareFolderError`, `FileError`.
    package mutating func run(into target: NewBareFolder) throws {
        for candidate in try candidates().sorted(by: { $0.size < $1.size }) {
            try take(candidate, target)
        }
    }

    // MARK: -

    /// What every record in the file describes, whether it is true or not.
    private func candidates() throws -> [Candidate] {
        let window = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Salvage.windowCount, alignment: 16)
        defer { window.deallocate() }
        var candidates: [Candidate] = []
        var offset = 0
        while offset < file.size {
            let count = try file.read(at: offset, into: window)
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: window[..<count])
            // What is left of the window is looked at again, so that no record is cut by its end.
            let isLast = offset + count >= file.size
            let end = isLast ? count : max(1, count - Salvage.longestRecord)
            var place = 0
            while place < end, let found = Salvage.nextRecord(bytes, from: place, to: end) {
                place = found + 4
                if let candidate = Salvage.candidate(bytes, at: found, offset: offset),
                    candidates.count < StoredZip.maximumMembers
                {
                    candidates.append(candidate)
                }
            }
            offset += max(end, place)
        }
        return candidates
    }

    private struct Candidate {
        let name: MemberName
        let start: Int
        let size: Int
        let checksum: UInt32
    }

    private mutating func take(_ candidate: Candidate, _ target: NewBareFolder) throws {
        guard !sound.contains(candidate.name) else { return }
        seen.insert(candidate.name)
        guard candidate.size <= file.size - candidate.start,
            candidate.size <= min(budget, StoredZip.largestMember)
        else {
            return
        }
        budget -= candidate.size
        let bytes = try file.read(at: candidate.start, count: candidate.size)
        guard bytes.count == candidate.size else { return }
        let isSound =
            candidate.name.object.map { $0.names(SHA256.digest(bytes)) }
            ?? (CRC32.checksum(bytes) == candidate.checksum)
        guard isSound else { return }
        do {
            try target.add(candidate.name, bytes)
        } catch NewBareFolderError.repeatedName {
            return
        }
        sound.insert(candidate.name)
    }

    /// Where the next signature of a local or central record stands.
    private static func nextRecord(
        _ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int
    ) -> Int? {
        var place = start
        while place < end, place + 4 <= bytes.count {
            guard let found = bytes[place..<end].firstIndex(of: UInt8(ascii: "P")) else {
                return nil
            }
            guard found + 4 <= bytes.count else { return nil }
            let signature = bytes.loadUnaligned(fromByteOffset: found, as: UInt32.self).littleEndian
            if signature == ZipRecords.localSignature || signature == ZipRecords.centralSignature {
                return found
            }
            place = found + 1
        }
        return nil
    }

    private static func candidate(
        _ bytes: UnsafeRawBufferPointer, at place: Int, offset: Int
    ) -> Candidate? {
        let isLocal =
            bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
            == ZipRecords.localSignature
        let fixed = isLocal ? ZipRecords.localFixed : ZipRecords.centralFixed
        // Both records have the fields from the checksum on in one order, and their lengths after them.
        let fields = place + (isLocal ? 14 : 16)
        guard place + fixed <= bytes.count else { return nil }
        let nameCount = bytes.number(at: fields + 12, as: UInt16.self)
        let extraCount = bytes.number(at: fields + 14, as: UInt16.self)
        let nameStart = place + fixed
        guard nameStart + nameCount + extraCount <= bytes.count,
            let name = MemberName(Array(bytes[nameStart..<nameStart + nameCount])),
            !name.isBelowAFile
        else { return nil }
        var size = bytes.number(at: fields + 8, as: UInt32.self)
        var extra = nameStart + nameCount + 4
        let extraEnd = nameStart + nameCount + extraCount
        if size == 0xFFFF_FFFF {
            guard extra + 16 <= extraEnd else { return nil }
            size = bytes.number(at: extra, as: UInt64.self)
            extra += 16
        }
        var start = offset + nameStart + nameCount + extraCount
        if !isLocal {
            var local = bytes.number(at: place + 42, as: UInt32.self)
            if local == 0xFFFF_FFFF {
                guard extra + 8 <= extraEnd else { return nil }
                local = bytes.number(at: extra, as: UInt64.self)
            }
            guard (0...1 << 62).contains(local), size >= 0 else { return nil }
            start =
                ZipEntry(
                    name: name.bytes, size: size, checksum: 0, offset: local
                ).start
        }
        guard size >= 0 else { return nil }
        return Candidate(
            name: name, start: start, size: size,
            checksum: UInt32(truncatingIfNeeded: bytes.number(at: fields, as: UInt32.self)))
    }
}
