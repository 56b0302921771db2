import FileSystem

// New files of one folder of a store that are flushed together.

extension PendingFile {
    /// How many files may wait for one flush: each has a descriptor open.
    static var largestBatch: Int { max(1, min(768, Descriptors.free)) }
}

extension Folder {
    /// From so many on one flush of the file system is cheaper than one a file.
    private static let manyFiles = 8

    /// Waits until the bytes of these files of the folder are on the disk, and not yet their names.
    ///
    /// A few are flushed one by one; of many the whole file system is flushed at once (docs/decisions/0012).
    func flush(_ files: [PendingFile]) throws(FileError) {
        if files.count < Folder.manyFiles {
            for file in files { try file.sync() }
        } else {
            try syncFileSystem()
        }
    }
}
