import Glibc

/// An open folder: its files are read by name through one descriptor, and links are never followed.
package final class Folder {
    package let path: String
    let descriptor: Int32
    /// Where small files are read to before their size is known.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)

    /// Opens a folder; links on the way to it are followed.
    package init(_ path: String) throws(FileError) {
        self.path = path
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw .fromErrno("open", path) }
        descriptor = opened
    }

    init(_ path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        scratch.deallocate()
        close(descriptor)
    }

    /// Whether something of that name stands in the folder.
    package func contains(_ name: String) throws(FileError) -> Bool {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        if errno == ENOENT { return false }
        throw .fromErrno("look up", path + "/" + name)
    }

    /// The size of a regular file, in bytes.
    package func size(of name: String) throws(FileError) -> Int {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .fromErrno("look up", path + "/" + name)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path + "/" + name) }
        return Int(status.st_size)
    }

    /// The bytes of a small file by one read; nil for one of 16 KiB or more, and where anything is out of the ordinary.
    ///
    /// Neither its kind nor that its end was reached is checked: for callers who know the hash of what they ask for,
    /// and who go to `read` with everything else. It saves a quarter of the system calls.
    package func readAtOnce(_ name: UnsafePointer<CChar>) -> [UInt8]? {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let got = Glibc.read(file, scratch.baseAddress, scratch.count)
        close(file)
        guard got >= 0, got < scratch.count else { return nil }
        return Array(scratch[..<got])
    }

    /// The bytes of a regular file.
    ///
    /// - Parameter limit: the largest size accepted, in bytes; checked before memory is taken.
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        try read(name, limit: limit) { (size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) in
            bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = fill(UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return bytes
    }

    /// Lends the bytes of a regular file, in memory that is used again for the next one.
    package func withContents<Result>(
        _ name: String, limit: Int, in room: ReadingRoom,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        var count = 0
        try read(name, limit: limit) { (size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) in
            count = fill(room.room(size))
        }
        return try body(UnsafeRawBufferPointer(room.room(count)))
    }

    /// Opens a regular file and calls `take` with its size and with what reads it.
    private func read(
        _ name: String, limit: Int,
        _ take: (Int, (UnsafeMutableRawBufferPointer) -> Int) -> Void
    ) throws(FileError) {
        // A pipe or device of that name must neither block the open nor be read.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC
        var file = openat(descriptor, name, flags | O_NONBLOCK)
        // A regular file says so while another program holds a lease on it; then waiting is right.
        if file < 0, errno == EAGAIN, try size(of: name) >= 0 {
            file = openat(descriptor, name, flags)
        }
        guard file >= 0 else { throw .fromErrno("open", path + "/" + name) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .fromErrno("look up", path + "/" + name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path + "/" + name) }
        let size = Int(status.st_size)
        guard size <= limit else {
            throw .tooLarge(path: path + "/" + name, size: size, limit: limit)
        }
        var failure: Int32 = 0
        take(size) { buffer in
            var count = 0
            while count < size, let start = buffer.baseAddress {
                let got = Glibc.read(file, start + count, size - count)
                if got == 0 { break }
                if got < 0 {
                    if errno == EINTR { continue }
                    failure = errno
                    break
                }
                count += got
            }
            return count
        }
        guard failure == 0 else {
            throw .system(operation: "read", path: path + "/" + name, code: failure)
        }
    }

    /// The names in the folder, but `.` and `..`, in order of bytes; a name that is not UTF-8 is left out,
    /// since no file of a store has one.
    package func names() throws(FileError) -> [String] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let listing = fdopendir(own) else { throw .fromErrno("list", path) }
        defer { closedir(listing) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(listing) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                raw.assumingMemoryBound(to: CChar.self).baseAddress
                    .flatMap { String(validatingCString: $0) }
            }
            guard let name, name != ".", name != ".." else { continue }
            names.append(name)
        }
        guard errno == 0 else { throw .fromErrno("list", path) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// When the folder's list of names last changed, in seconds and nanoseconds.
    package struct ChangeTime: Equatable {
        let seconds: Int
        let nanoseconds: Int
    }

    package func changeTime() throws(FileError) -> ChangeTime {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fromErrno("look up", path) }
        return ChangeTime(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    /// Which folder stands at a path, in a text that is only ever compared; nil where there is none.
    ///
    /// A file system that is not mounted leaves another folder there.
    package static func mark(at path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return "\(status.st_dev):\(status.st_ino)"
    }

    /// Whether a folder stands at `path`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Memory that files are read into one after the other.
package final class ReadingRoom {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    package init() {}

    deinit {
        memory.deallocate()
    }

    /// The first `count` bytes; what lies there stays only while they are enough.
    func room(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if count > memory.count {
            memory.deallocate()
            memory = .allocate(byteCount: count, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
    }
}
