import Glibc

// Folders below folders: files found, and trees of files removed.

extension Folder {
    /// What stands in a folder.
    package enum Kind {
        case file, folder, other
    }

    package struct Item {
        /// The bytes of the name, which need not be UTF-8.
        package let name: [UInt8]
        package let kind: Kind
    }

    /// All that is in the folder but `.` and `..`, by the bytes of the names; links are not followed.
    package func items() throws(FileError) -> [Item] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let listing = fdopendir(own) else { throw .fromErrno("list", path) }
        defer { closedir(listing) }
        var items: [Item] = []
        while true {
            errno = 0
            guard let entry = readdir(listing) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                Array(raw.prefix { $0 != 0 })
            }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            let kind: Kind =
                switch Int(entry.pointee.d_type) {
                case Int(DT_REG): .file
                case Int(DT_DIR): .folder
                // A file system that does not say is asked.
                case Int(DT_UNKNOWN): kind(of: name)
                default: .other
                }
            items.append(Item(name: name, kind: kind))
        }
        guard errno == 0 else { throw .fromErrno("list", path) }
        return items.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private func kind(of name: [UInt8]) -> Kind {
        var status = stat()
        let result = (name + [0]).withUnsafeBufferPointer { name in
            name.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.map {
                    fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
                } ?? -1
            }
        }
        guard result == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The folder `name` in this one; a link of that name is refused.
    package func folder(_ name: String) throws(FileError) -> Folder {
        let opened = openat(
            descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else {
            // What is there is a link or a file.
            guard errno != ENOTDIR else { throw .notRegular(path: path + "/" + name) }
            throw .fromErrno("open", path + "/" + name)
        }
        return Folder(path + "/" + name, descriptor: opened)
    }

    /// Makes the folder `name` in this one and opens it; one that is there is opened, a link is refused.
    package func folderMade(_ name: String, mode: UInt32 = 0o777) throws(FileError) -> Folder {
        guard mkdirat(descriptor, name, mode) == 0 || errno == EEXIST else {
            throw .fromErrno("create", path + "/" + name)
        }
        return try folder(name)
    }

    /// Removes a folder of this one with all that is in it; links are removed, not followed.
    package func removeTree(_ name: String) throws(FileError) {
        let tree = try folder(name)
        for item in try tree.items() {
            guard let child = String(validating: item.name, as: UTF8.self) else {
                throw .notRegular(path: tree.path)
            }
            if item.kind == .folder {
                try tree.removeTree(child)
            } else {
                try tree.remove(child)
            }
        }
        try removeFolder(name)
    }

    /// Removes an empty folder of this one.
    package func removeFolder(_ name: String) throws(FileError) {
        guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 else {
            throw .fromErrno("remove", path + "/" + name)
        }
    }

    /// The path of a folder without links and dots; nil where it is not there.
    package static func canonical(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(validatingCString: found)
    }

    /// Makes a folder and those on the way to it; that it is there is no error.
    package static func make(_ path: String, mode: UInt32 = 0o777) throws(FileError) {
        if mkdir(path, mode) == 0 || errno == EEXIST && exists(path) { return }
        guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { throw .fromErrno("create", path) }
        try make(String(path[..<slash]))
        guard mkdir(path, mode) == 0 || errno == EEXIST && exists(path) else {
            throw .fromErrno("create", path)
        }
    }

    /// Removes the folder at `path`, which must be empty.
    package static func removeEmpty(_ path: String) throws(FileError) {
        guard rmdir(path) == 0 else { throw .fromErrno("remove", path) }
    }
}
