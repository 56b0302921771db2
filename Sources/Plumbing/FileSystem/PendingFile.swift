import CLinux
import Glibc

/// A file that is being written and has no name yet.
///
/// It becomes visible whole, under its name, or not at all. Where the file system knows files without a name
/// (`O_TMPFILE`) nothing is left of one that was given up, whatever ends the process; elsewhere it is
/// `.<name>.<8 hex>.sgtmp` in the same folder until then.
package final class PendingFile {
    private let folder: Folder
    private let name: String
    /// Negative once the file is ready.
    private var descriptor: Int32
    /// The permissions that it may have at most.
    private let largestMode: UInt32
    /// The name that it has for now; nil while it has none.
    private var temporaryName: String?

    /// How much of a name a temporary one shows, in bytes.
    private static let longestStem = 200
    /// The end of every temporary name.
    package static let ending = ".sgtmp"

    /// Begins a file that is to be called `name` in `folder`.
    ///
    /// - Parameters:
    ///   - mode: its permissions, less the process's umask.
    ///   - keepsPermissions: whether it takes over those of a file that it replaces, however it was begun.
    package init(
        _ name: String, in folder: Folder, mode: UInt32 = 0o644, keepsPermissions: Bool = false
    ) throws(FileError) {
        self.folder = folder
        self.name = name
        largestMode = mode & 0o077 == 0 && !keepsPermissions ? 0o700 : 0o777
        let nameless = clinux_open_nameless(
            folder.descriptor, O_RDWR | O_DIRECTORY | O_CLOEXEC, mode)
        if nameless >= 0 {
            descriptor = nameless
            restrict(mode)
            return
        }
        // What kernels and file systems without them answer.
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno) else {
            throw .fromErrno("create a file in", folder.path)
        }
        let temporary = PendingFile.temporaryName(for: name)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        descriptor = openat(folder.descriptor, temporary, flags, mode)
        guard descriptor >= 0 else {
            throw .fromErrno("create", folder.path + "/" + temporary)
        }
        temporaryName = temporary
        restrict(mode)
    }

    /// What only its owner may read, the owner may read, whatever the process's umask takes away.
    private func restrict(_ mode: UInt32) {
        if mode & 0o077 == 0 { fchmod(descriptor, mode) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporaryName { unlinkat(folder.descriptor, temporaryName, 0) }
    }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        try check(bytes.withUnsafeBytes { send($0) }, "write")
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try check(send(bytes), "write")
    }

    /// 0, or why the system did not take all of it.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            // The system takes no more than 2 GiB at once.
            let written = Glibc.write(descriptor, part.baseAddress, min(part.count, 1 << 30))
            if written < 0, errno != EINTR { return errno }
            rest = rest.dropFirst(max(written, 0))
        }
        return 0
    }

    /// Waits until the bytes are on the disk.
    package func sync() throws(FileError) {
        try check(fsync(descriptor) == 0 ? 0 : errno, "flush")
    }

    /// Gives the file its name unless something of that name is there; then false, and the file is given up.
    package func take() throws(FileError) -> Bool {
        let result =
            if let temporaryName {
                renameWithoutReplacing(temporaryName)
            } else {
                link(as: name)
            }
        if result == 0 {
            temporaryName = nil
            return true
        }
        if errno == EEXIST { return false }
        throw .fromErrno("create", folder.path + "/" + name)
    }

    /// Whether the file that has the name holds the same bytes.
    package func isAlreadyThere() throws(FileError) -> Bool {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw .fromErrno("look up", path) }
        let there = try folder.read(name, limit: Int(own.st_size))
        guard there.count == Int(own.st_size) else { return false }
        var mine = [UInt8](repeating: 0, count: min(there.count, 65_536))
        var place = 0
        while place < there.count {
            let got = pread(descriptor, &mine, mine.count, off_t(place))
            guard got > 0 else { throw .fromErrno("read", path) }
            guard there[place..<place + got].elementsEqual(mine[..<got]) else { return false }
            place += got
        }
        return true
    }

    /// Gives the file its name, in place of a file of that name, whose permissions it takes over; a file that was begun
    /// for its owner alone stays so.
    package func replace() throws(FileError) {
        try makeReady()
        guard let temporaryName,
            renameat(folder.descriptor, temporaryName, folder.descriptor, name) == 0
        else { throw .fromErrno("replace", path) }
        self.temporaryName = nil
    }

    /// Gives the file its name and the one that had it the temporary name, in one step; nil where the file system cannot,
    /// and nothing has changed.
    ///
    /// The other file goes when this value does: whoever wants to keep it gives it another name before.
    ///
    /// - Returns: the temporary name.
    package func exchange() throws(FileError) -> String? {
        let temporary = try makeReady()
        if clinux_exchange(folder.descriptor, temporary, name) == 0 { return temporary }
        guard [EINVAL, ENOSYS, EOPNOTSUPP, ENOENT].contains(errno) else {
            throw .fromErrno("replace", path)
        }
        return nil
    }

    /// Gives the file its temporary name and lets go of its descriptor, so that taking the place of another is one step
    /// that needs no room.
    ///
    /// - Returns: the temporary name.
    @discardableResult
    package func makeReady() throws(FileError) -> String {
        if descriptor < 0, let temporaryName { return temporaryName }
        var old = stat()
        if fstatat(folder.descriptor, name, &old, AT_SYMLINK_NOFOLLOW) == 0 {
            guard old.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
            // A file system without permissions refuses, and has none to keep.
            fchmod(descriptor, old.st_mode & largestMode)
        }
        let temporary = temporaryName ?? PendingFile.temporaryName(for: name)
        if temporaryName == nil {
            guard link(as: temporary) == 0 else {
                throw .fromErrno("create", folder.path + "/" + temporary)
            }
            temporaryName = temporary
        }
        close(descriptor)
        descriptor = -1
        return temporary
    }

    // MARK: -

    private var path: String { folder.path + "/" + name }

    private func link(as name: String) -> Int32 {
        linkat(
            AT_FDCWD, "/proc/self/fd/\(descriptor)", folder.descriptor, name, AT_SYMLINK_FOLLOW)
    }

    private func renameWithoutReplacing(_ temporary: String) -> Int32 {
        let result = clinux_rename_without_replacing(folder.descriptor, temporary, name)
        guard result != 0, [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { return result }
        // A file system that cannot do it at once has no links either: look first.
        if faccessat(folder.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
            errno = EEXIST
            return -1
        }
        return renameat(folder.descriptor, temporary, folder.descriptor, name)
    }

    private func check(_ failure: Int32, _ operation: String) throws(FileError) {
        guard failure != 0 else { return }
        throw .system(operation: operation, path: folder.path + "/" + name, code: failure)
    }

    /// A name for what is to be called `name` later: hidden, and told by its ending.
    package static func temporaryName(for name: String) -> String {
        var number: UInt32 = 0
        getentropy(&number, 4)
        let digits = String(number, radix: 16)
        let padding = String(repeating: "0", count: 8 - digits.utf8.count)
        return ".\(stem(name)).\(padding)\(digits)\(ending)"
    }

    /// What a temporary name shows of a name: with what stands around it, it must still be one that a file system takes.
    private static func stem(_ name: String) -> String {
        String(decoding: name.utf8.prefix(longestStem), as: UTF8.self)
    }

    /// Whether `found` is a temporary name, of a file that was to be called `name` or, where it is nil, of any.
    static func isTemporary(_ found: String, for name: String?) -> Bool {
        let found = Array(found.utf8)
        let beginning = Array((name.map { "." + stem($0) } ?? ".").utf8)
        let number = 8
        let end = ending.utf8.count + number + 1
        guard found.starts(with: beginning),
            found.suffix(ending.utf8.count).elementsEqual(ending.utf8),
            name == nil ? found.count > end : found.count == beginning.count + end
        else { return false }
        let tail = found.suffix(end)
        return tail.first == UInt8(ascii: ".")
            && tail.dropFirst().prefix(number).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }
}
