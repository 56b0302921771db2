import Glibc

/// Where a file that is to be written has its name: a link at the path is followed.
package struct FileTarget {
    /// The folder, without links and dots.
    package let folder: String
    package let name: String

    /// - Throws: `FileError` for a link that leads nowhere or in a circle, for what is no regular file, and where
    ///   there is no such folder.
    package init(_ path: String) throws(FileError) {
        var status = stat()
        var place = path
        if lstat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFLNK {
                guard let found = realpath(path, nil) else {
                    throw .system(operation: "follow", path: path, code: errno)
                }
                defer { free(found) }
                guard let target = String(validatingCString: found),
                    lstat(target, &status) == 0
                else { throw .notRegular(path: path) }
                place = target
            }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
        } else if errno != ENOENT {
            throw .fromErrno("look up", path)
        }
        // By bytes: a slash and an accent that follows it would be one character.
        let bytes = Array(place.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { String(decoding: bytes[..<max($0, 1)], as: UTF8.self) } ?? "."
        name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
        guard !name.isEmpty, name != ".", name != ".." else { throw .notRegular(path: path) }
        guard let folder = Folder.canonical(parent) else { throw .fromErrno("open", parent) }
        self.folder = folder
    }

    package var path: String { folder == "/" ? "/" + name : folder + "/" + name }
}

extension FileTarget {
    /// The folder part of an absolute path, a link at its end not followed.
    package static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
        return String(decoding: bytes[..<max(slash, 1)], as: UTF8.self)
    }

    /// Whether anything stands at the path, be it a link that leads nowhere.
    package static func isNamed(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

extension Folder {
    /// Gives a file of this folder a second name in another one; false where that name is taken.
    ///
    /// Where the file system has no links, or has had enough of them, the file is copied and flushed.
    package func link(
        _ name: String, into other: Folder, as newName: String
    ) throws(FileError) -> LinkResult {
        if linkat(descriptor, name, other.descriptor, newName, 0) == 0 { return .linked }
        switch errno {
        case EEXIST: return .taken
        case EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV: break
        default: throw .fromErrno("create", other.path + "/" + newName)
        }
        let source = try StoredFile(name, in: self)
        let copy = try PendingFile(newName, in: other, mode: 0o600)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = try source.read(at: offset, into: buffer)
            if count == 0 { break }
            try copy.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
        try copy.sync()
        return try copy.take() ? .copied : .taken
    }

    package enum LinkResult {
        case linked, copied
        /// Something of the new name is there.
        case taken
    }
}
