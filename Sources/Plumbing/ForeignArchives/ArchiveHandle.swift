import CArchive
import Encodings
import Glibc

/// Why an archive is refused, and at which member.
struct ArchiveRefusal: Error {
    let reason: MemberRecord.Refusal
    var name: [UInt8] = []
}

/// The system failed while an archive was read.
struct ArchiveSystemFailure: Error {
    let code: Int32
}

/// libarchive's reader, its answers as errors: a warning is as good as an error here.
///
/// Zip and tar; compressed by nothing, gzip, bzip2, xz or zstd. No format or filter is added that starts a program.
final class ArchiveHandle {
    private let archive: OpaquePointer
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: MemberStream.largestChunk, alignment: 16)

    init() throws(ArchiveSystemFailure) {
        guard let archive = archive_read_new() else { throw ArchiveSystemFailure(code: ENOMEM) }
        self.archive = archive
        for add in [
            archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
            archive_read_support_filter_xz, archive_read_support_filter_zstd,
            archive_read_support_format_tar, archive_read_support_format_zip_seekable,
        ] { precondition(add(archive) == ARCHIVE_OK) }
        // Only so the filter is read to its end, where its checksum stands; and what follows a tar must be one.
        archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1")
    }

    deinit {
        archive_read_free(archive)
        buffer.deallocate()
    }

    /// Begins to read a file at its current place.
    func open(_ descriptor: Int32) throws {
        guard archive_read_open_fd(archive, descriptor, 1 << 16) == ARCHIVE_OK else {
            throw failure(.notAnArchive)
        }
    }

    /// The filters between the file and the format.
    var filters: Int { Int(archive_filter_count(archive)) - 1 }
    var isGzip: Bool { filters > 0 && archive_filter_code(archive, 0) == ARCHIVE_FILTER_GZIP }
    var isTar: Bool { archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR }
    /// The bytes that came out of the last filter.
    var filtered: Int { Int(archive_filter_bytes(archive, 0)) }

    /// The next member; nil at the end.
    func next() throws -> ArchiveEntry? {
        var entry: OpaquePointer?
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_EOF: return nil
        case ARCHIVE_OK:
            guard let entry else { throw ArchiveRefusal(reason: .damaged) }
            return ArchiveEntry(entry)
        default: throw failure(archive_format(archive) == 0 ? .notAnArchive : .damaged)
        }
    }

    /// Some of the next bytes of the member; empty at its end.
    func read(_ name: [UInt8]) throws -> UnsafeRawBufferPointer {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw failure(.damaged, name) }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// What the last call did not like: the file, or the system under it.
    private func failure(_ reason: MemberRecord.Refusal, _ name: [UInt8] = []) -> any Error {
        switch archive_errno(archive) {
        case ENOMEM, EIO, EBADF, EACCES, EISDIR:
            ArchiveSystemFailure(code: archive_errno(archive))
        default: ArchiveRefusal(reason: reason, name: name)
        }
    }
}

/// What the header of a member says; it is of no use once the next is asked for.
struct ArchiveEntry {
    enum Kind { case file, folder, link, special }

    private let entry: OpaquePointer

    init(_ entry: OpaquePointer) { self.entry = entry }

    /// The bytes of the name, up to a NUL in it; nil where it cannot be told.
    var name: [UInt8]? {
        guard let name = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
            return nil
        }
        return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    var isEncrypted: Bool { archive_entry_is_encrypted(entry) != 0 }

    var kind: Kind {
        guard archive_entry_hardlink(entry) == nil, archive_entry_symlink(entry) == nil else {
            return .link
        }
        switch archive_entry_filetype(entry) {
        case Glibc.S_IFREG: return .file
        case Glibc.S_IFDIR: return .folder
        case Glibc.S_IFLNK: return .link
        default: return .special
        }
    }

    /// The length that it says it has; nil where it says none.
    var size: Int? {
        archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
    }
}
