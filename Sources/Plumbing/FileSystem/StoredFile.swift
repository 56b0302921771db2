import Glibc

/// A regular file that is read at places of the reader's choice.
///
/// It is never mapped: a file that a sync client cuts short meanwhile would end the process.
package final class StoredFile {
    package let path: String
    /// Its size when it was opened, in bytes.
    package let size: Int
    /// What tells this state of the file from any other that stands or stood at the path.
    package let identity: Identity
    /// For a program that reads the same file.
    package let descriptor: Int32

    package struct Identity: Equatable {
        let device: UInt
        let inode: UInt
        let size: Int
        let modified: [Int]
        let changed: [Int]

        init(_ status: stat) {
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
            size = Int(status.st_size)
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
            changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        }

        /// The same state in a text that can be kept: it is only ever compared.
        package var mark: String {
            "\(device):\(inode):\(size):\(modified[0]).\(modified[1])"
        }

        /// Whether both are one file in one state, be its names what they may: a link made or removed changes it not.
        package func isSameContent(as other: Identity) -> Bool {
            device == other.device && inode == other.inode && size == other.size
                && modified == other.modified
        }
    }

    /// Opens a file; links are followed.
    package convenience init(_ path: String) throws(FileError) {
        try self.init(path, open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    /// Opens a file of a folder; a link is refused.
    package convenience init(_ name: String, in folder: Folder) throws(FileError) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        try self.init(folder.path + "/" + name, openat(folder.descriptor, name, flags))
    }

    private init(_ path: String, _ opened: Int32) throws(FileError) {
        guard opened >= 0 else { throw .fromErrno("open", path) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw .notRegular(path: path)
        }
        descriptor = opened
        self.path = path
        size = Int(status.st_size)
        identity = Identity(status)
    }

    deinit {
        close(descriptor)
    }

    /// The state of the file at a path, without opening it; nil where there is no regular file.
    package static func identity(at path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Identity(status)
    }

    /// Reads from `offset` until `target` is full or the file ends; how much it was.
    package func read(
        at offset: Int, into target: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        var done = 0
        while done < target.count, let start = target.baseAddress {
            let got = pread(
                descriptor, start + done, min(target.count - done, 1 << 30), off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .fromErrno("read", path) }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// `count` bytes from `offset`, or fewer where the file ends before.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            do throws(FileError) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(target))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
