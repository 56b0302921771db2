package import Encodings
package import FileSystem
import Glibc

/// An archive that another program made, read once from its first member to its last.
///
/// What it holds is not believed: names are bounded and judged, sizes are counted as they come, and every checksum that
/// the archive has is asked for. See sgit-read-archive(1).
package final class ForeignArchive {
    private let descriptor: Int32
    private let path: String
    private let size: Int
    private let locale: locale_t?
    private let handle: ArchiveHandle
    private var members = 0
    private var delivered = 0

    /// Takes a regular file, from its start; nothing of it is read yet.
    ///
    /// - Parameters:
    ///   - descriptor: stays the caller's.
    ///   - path: what the file is called in an error.
    package init(_ descriptor: Int32, path: String) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .system(operation: "look up", path: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
        self.descriptor = descriptor
        size = Int(status.st_size)
        self.path = path
        do throws(ArchiveSystemFailure) {
            handle = try ArchiveHandle()
        } catch {
            throw .system(operation: "read", path: path, code: error.code)
        }
        // In the C locale libarchive gives no name that is not ASCII. Its files are read now, since a confined process
        // opens none.
        locale = newlocale(Int32(1 << LC_CTYPE), "C.UTF-8", nil)
    }

    deinit {
        if let locale { freelocale(locale) }
    }

    /// What all members together may come to, in bytes.
    private var limit: Int { max(size, min(size * 100, ForeignArchive.largestExpansion)) }

    /// Above the size of the file itself; docs/vault-file.md, "Threats".
    private static let largestExpansion = 4 << 30
    /// Tar rounds its length up, and many an empty file compresses to nearly nothing.
    private static let tarSlack = 1 << 20

    /// Hands on every member; the last record says how it ended.
    ///
    /// - Returns: whether the archive is whole and all that it may be.
    /// - Throws: `FileError` where the system fails; what `deliver` throws.
    package func read(_ deliver: (MemberRecord) throws -> Void) throws -> Bool {
        let before = uselocale(locale)
        defer { uselocale(before) }
        do {
            try open()
            while let entry = try handle.next() {
                if members == 0 { try checkZip() }
                try pass(entry, deliver)
            }
            try checkEnd()
        } catch let refusal as ArchiveRefusal {
            try deliver(.refused(refusal.reason, name: refusal.name))
            return false
        } catch let failure as ArchiveSystemFailure {
            throw FileError.system(operation: "read", path: path, code: failure.code)
        }
        try deliver(.end)
        return true
    }

    private func open() throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw ArchiveSystemFailure(code: errno) }
        try handle.open(descriptor)
        guard handle.filters <= 1 else { throw ArchiveRefusal(reason: .nested) }
        if handle.isGzip { try checkGzip() }
    }

    private func pass(_ entry: ArchiveEntry, _ deliver: (MemberRecord) throws -> Void) throws {
        members += 1
        guard members <= MemberStream.mostMembers else {
            throw ArchiveRefusal(reason: .tooManyMembers)
        }
        guard let name = entry.name else { throw ArchiveRefusal(reason: .damaged) }
        let place = MemberPlace(name)
        if case .refused(let reason) = place {
            throw ArchiveRefusal(
                reason: reason, name: Array(name.prefix(MemberStream.longestName)))
        }
        guard !entry.isEncrypted else { throw ArchiveRefusal(reason: .encrypted, name: name) }
        switch entry.kind {
        case .link: throw ArchiveRefusal(reason: .link, name: name)
        case .special: throw ArchiveRefusal(reason: .special, name: name)
        case .folder: try checkExpansion(name)
        case .file:
            if case .leftOut(let reason) = place {
                try readFile(name, entry.size) { _ in }
                try deliver(.leftOut(reason, name: name))
            } else {
                try deliver(.file(name: name))
                try readFile(name, entry.size) { try deliver(.data(Array($0))) }
                try deliver(.endOfFile)
            }
        }
    }

    /// Reads a member to its end, also one that is left out: only so its checksum is looked at.
    private func readFile(
        _ name: [UInt8], _ declared: Int?, _ take: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if let declared { try checkSize(declared, of: name) }
        var length = 0
        while true {
            let bytes = try handle.read(name)
            if bytes.isEmpty { break }
            length += bytes.count
            try checkSize(length, of: name)
            try checkExpansion(name)
            try take(bytes)
        }
        guard declared == nil || declared == length else {
            throw ArchiveRefusal(reason: .damaged, name: name)
        }
        delivered += length
    }

    private func checkSize(_ length: Int, of name: [UInt8]) throws {
        guard length >= 0 else { throw ArchiveRefusal(reason: .damaged, name: name) }
        guard length <= MemberStream.largestMember else {
            throw ArchiveRefusal(reason: .largeMember, name: name)
        }
        guard length <= limit - delivered else {
            throw ArchiveRefusal(reason: .expands, name: name)
        }
    }

    /// What a filter makes of headers and padding counts as well.
    private func checkExpansion(_ name: [UInt8]) throws {
        guard handle.filters == 0 || handle.filtered <= limit + ForeignArchive.tarSlack else {
            throw ArchiveRefusal(reason: .expands, name: name)
        }
    }

    // MARK: - What libarchive does not check

    /// The checksums of a gzip file.
    private func checkGzip() throws {
        let check = GzipCheck(limit: limit + ForeignArchive.tarSlack)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        do throws(DeflateError) {
            while true {
                let count = buffer.withUnsafeMutableBytes { readAt(offset, $0) }
                guard count > 0 else { break }
                offset += count
                var refusal: DeflateError?
                buffer.withUnsafeBytes { bytes in
                    do throws(DeflateError) {
                        try check.take(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                    } catch {
                        refusal = error
                    }
                }
                if let refusal { throw refusal }
            }
            try check.finish()
        } catch {
            throw ArchiveRefusal(reason: error == .malformed ? .damaged : .expands)
        }
    }

    /// The names of a zip, before anything of it is handed on.
    private func checkZip() throws {
        guard !handle.isTar else { return }
        try ZipNames(size: size) { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = bytes.withUnsafeMutableBytes { self.readAt(offset, $0) }
            return got == count ? bytes : nil
        }.check()
    }

    /// A tar that is cut between two members looks like a shorter one, but for the two empty blocks that end it.
    private func checkEnd() throws {
        guard handle.isTar, handle.filters == 0 else { return }
        let isEnd = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { block in
            readAt(size - 1024, block) == 1024 && block.allSatisfy { $0 == 0 }
        }
        guard isEnd else { throw ArchiveRefusal(reason: .damaged) }
    }

    /// Reads without moving the file's place; 0 at the end and where it cannot be read.
    private func readAt(_ offset: Int, _ target: UnsafeMutableRawBufferPointer) -> Int {
        var got: Int
        repeat {
            got = pread(descriptor, target.baseAddress, target.count, offset)
        } while got < 0 && errno == EINTR
        return max(got, 0)
    }
}
