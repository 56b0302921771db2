import CLinux
import Glibc

// What changes a folder itself; files come into it through PendingFile.

extension Folder {
    /// Opens the folder `name` in this one, and makes it where it is not there.
    package func makeFolder(_ name: String) throws(FileError) -> Folder {
        if mkdirat(descriptor, name, 0o777) == 0 {
            try sync()
        } else if errno != EEXIST {
            throw .fromErrno("create", path + "/" + name)
        }
        return try Folder(path + "/" + name)
    }

    /// Writes a file whole and flushed, in place of one of that name; the folder is not flushed.
    package func replace(
        _ name: String, with bytes: [UInt8], mode: UInt32 = 0o644
    ) throws(FileError) {
        let file = try PendingFile(name, in: self, mode: mode)
        try file.write(bytes)
        try file.sync()
        try file.replace()
    }

    /// Waits until the folder's list of names is on the disk; a file system that cannot flush folders is served.
    package func sync() throws(FileError) {
        guard fsync(descriptor) != 0, ![EINVAL, EBADF, EROFS].contains(errno) else { return }
        throw .fromErrno("flush", path)
    }

    /// Waits until all that was written to the file system of this folder is on the disk.
    package func syncFileSystem() throws(FileError) {
        guard clinux_syncfs(descriptor) == 0 else { throw .fromErrno("flush", path) }
    }

    /// Removes a file; that it is not there is no error.
    package func remove(_ name: String) throws(FileError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .fromErrno("remove", path + "/" + name)
        }
    }

    /// Removes what was left by writers that were killed: only right while the folder is held.
    ///
    /// - Parameter name: what the file was to be called; nil for any.
    package func removeLeftovers(of name: String? = nil) throws(FileError) {
        for item in try items() where item.kind == .file {
            guard let found = String(validating: item.name, as: UTF8.self),
                PendingFile.isTemporary(found, for: name)
            else { continue }
            try remove(found)
        }
    }

    /// Removes the folders with a temporary name for `name`: only right while the folder is held.
    package func removeLeftoverFolders(of name: String) throws(FileError) {
        for item in try items() where item.kind == .folder {
            guard let found = String(validating: item.name, as: UTF8.self),
                PendingFile.isTemporary(found, for: name)
            else { continue }
            try removeTree(found)
        }
    }

    /// Writes a new file, without flushing it; false where something of that name is there.
    ///
    /// For a folder that nobody looks into yet: the file is there before it is whole.
    package func create(
        _ name: String, with bytes: UnsafeRawBufferPointer
    ) throws(FileError) -> Bool {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(descriptor, name, flags, 0o644)
        guard file >= 0 else {
            if errno == EEXIST { return false }
            throw .fromErrno("create", path + "/" + name)
        }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            let written = write(file, part.baseAddress, part.count)
            guard written >= 0 || errno == EINTR else {
                throw .fromErrno("write", path + "/" + name)
            }
            rest = rest.dropFirst(max(written, 0))
        }
        return true
    }

    /// Renames a folder of this one unless the new name is taken; then false.
    package func rename(_ name: String, to newName: String) throws(FileError) -> Bool {
        if clinux_rename_without_replacing(descriptor, name, newName) == 0 { return true }
        if errno == EEXIST { return false }
        guard [EINVAL, ENOSYS].contains(errno), try !contains(newName) else {
            if errno == EEXIST { return false }
            throw .fromErrno("rename", path + "/" + name)
        }
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw .fromErrno("rename", path + "/" + name)
        }
        return true
    }
}
