import FileSystem
package import Objects
import Store

/// The files of a working copy that stand for paths a commit changes.
///
/// A file is written over only where it is as the head had it: other changes are the person's, and a commit that knew
/// nothing of them must not take them away.
package final class CheckedOutFiles {
    private let copy: WorkingCopy
    /// The paths that are checked out of a sparse copy; nil where every path is.
    private let checkedOut: Set<[UInt8]>?

    /// The folders that were looked for and are not there, and the last one that is.
    private var absent: Set<[EntryName]> = []
    private var last: (path: [EntryName], folder: Folder)?

    package init(_ copy: WorkingCopy) throws {
        self.copy = copy
        checkedOut = copy.isSparse ? try copy.checkedOutPaths() : nil
    }

    /// What is to be done with one file.
    package enum Step {
        case write([EntryName])
        case remove([EntryName])
    }

    /// Decides what a change of one path means for its file; nil for nothing.
    ///
    /// - Parameters:
    ///   - isOld: whether bytes are what the head has at the path.
    ///   - isNew: whether bytes are what it is to have; nil where the path goes.
    /// - Throws: `DeviceError.changedFile`.
    package func step(
        _ path: [EntryName], isOld: ([UInt8]) throws -> Bool, isNew: (([UInt8]) -> Bool)?
    ) throws -> Step? {
        guard PathGuard.isWritable(PrettyLayout.path(path)) else { return nil }
        let shown = String(decoding: PrettyLayout.path(path), as: UTF8.self)
        guard let content = try content(path) else {
            // Of a path that is not checked out sgit knows that its file is not missing.
            let isAway = checkedOut.map { !$0.contains(PrettyLayout.path(path)) } ?? false
            return isNew == nil || isAway ? nil : .write(path)
        }
        if let isNew, isNew(content) { return nil }
        guard try isOld(content) else { throw DeviceError.changedFile(path: shown) }
        return isNew == nil ? .remove(path) : .write(path)
    }

    /// Writes a file, and the folders on the way to it.
    package func write(_ content: [UInt8], at path: [EntryName]) throws {
        var folder = try Folder(copy.root)
        for name in path.dropLast() { folder = try folder.folderMade(text(name)) }
        guard let name = path.last else { return }
        try folder.replace(text(name), with: content, mode: 0o666)
        try folder.sync()
    }

    /// Removes a file, and the folders on the way to it that it leaves empty.
    package func remove(_ path: [EntryName]) throws {
        var folders = [try Folder(copy.root)]
        for name in path.dropLast() {
            folders.append(try folders[folders.count - 1].folder(text(name)))
        }
        guard let name = path.last else { return }
        try folders[folders.count - 1].remove(text(name))
        for (depth, folder) in folders.enumerated().dropFirst().reversed() {
            guard try folder.items().isEmpty else { return }
            try folders[depth - 1].removeFolder(text(path[depth - 1]))
        }
    }

    // MARK: -

    /// The bytes of the file at a path; nil where nothing is there.
    private func content(_ path: [EntryName]) throws -> [UInt8]? {
        do throws(FileError) {
            guard let name = path.last, let folder = try folder(Array(path.dropLast())) else {
                return nil
            }
            return try folder.read(text(name), limit: ObjectLimit.blob)
        } catch {
            switch error {
            case .notFound: return nil
            case .notRegular:
                throw DeviceError.changedFile(
                    path: String(decoding: PrettyLayout.path(path), as: UTF8.self))
            default: throw error
            }
        }
    }

    /// A folder of the copy; nil where it is not there.
    private func folder(_ path: [EntryName]) throws(FileError) -> Folder? {
        if let last, last.path == path { return last.folder }
        for depth in 0..<path.count where absent.contains(Array(path[...depth])) { return nil }
        var folder = try Folder(copy.root)
        for (depth, name) in path.enumerated() {
            do throws(FileError) {
                folder = try folder.folder(text(name))
            } catch {
                guard case .notFound = error else { throw error }
                absent.insert(Array(path[...depth]))
                return nil
            }
        }
        last = (path, folder)
        return folder
    }

    private func text(_ name: EntryName) -> String { String(decoding: name.bytes, as: UTF8.self) }
}
