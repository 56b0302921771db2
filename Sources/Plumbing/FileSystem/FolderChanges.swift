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
    package func removeLeftovers() throws(FileError) {
        for item in try items() where item.kind == .file {
            guard let name = String(validating: item.name, as: UTF8.self), name.hasPrefix("."),
                name.hasSuffix(PendingFile.ending)
            else { continue }
            try remove(name)
        }
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
