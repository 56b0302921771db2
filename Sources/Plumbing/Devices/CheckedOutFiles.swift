import Cryptography
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

    /// What is to be done with one file, and what it was when that was decided.
    package struct Step {
        package enum Deed {
            case write
            case remove
        }

        package let path: [EntryName]
        package let deed: Deed
        /// The hash of its bytes; nil where there was no file.
        let before: SHA256Digest?
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
        // A hostile tree may hold names that are paths; none of them is a file of this copy.
        guard path.allSatisfy({ isFileName($0) }), PathGuard.isWritable(PrettyLayout.path(path))
        else { return nil }
        guard let content = try content(path) else {
            // Of a path that is not checked out sgit knows that its file is not missing.
            let isAway = checkedOut.map { !$0.contains(PrettyLayout.path(path)) } ?? false
            return isNew == nil || isAway ? nil : Step(path: path, deed: .write, before: nil)
        }
        if let isNew, isNew(content) { return nil }
        guard try isOld(content) else { throw changed(path) }
        return Step(
            path: path, deed: isNew == nil ? .remove : .write, before: SHA256.digest(content))
    }

    /// Files that are written and flushed, and only lack their names.
    package struct Prepared {
        fileprivate let steps: [(step: Step, folders: [Folder], file: PendingFile?)]
    }

    /// Checks once more that no file has changed, and writes the new ones beside the old.
    ///
    /// Nothing that a person sees has changed yet, and what is left needs no room.
    /// - Parameter content: the new bytes of a file.
    /// - Throws: `DeviceError.changedFile`, `FileError`.
    package func prepare(
        _ steps: [Step], content: (Step) throws -> [UInt8]
    ) throws -> Prepared {
        absent = []
        last = nil
        return Prepared(
            steps: try steps.map { step in
                guard try self.content(step.path).map({ SHA256.digest($0) }) == step.before else {
                    throw changed(step.path)
                }
                var folders = [try Folder(copy.root)]
                for name in step.path.dropLast() {
                    let above = folders[folders.count - 1]
                    folders.append(
                        try step.deed == .write
                            ? above.folderMade(text(name)) : above.folder(text(name)))
                }
                guard step.deed == .write, let name = step.path.last else {
                    return (step, folders, nil)
                }
                let file = try PendingFile(
                    text(name), in: folders[folders.count - 1], mode: 0o666)
                try file.write(content(step))
                try file.sync()
                try file.makeReady()
                return (step, folders, file)
            })
    }

    /// Gives the prepared files their names and removes those that go; what changed in this very moment is left alone.
    ///
    /// - Returns: the paths of files that are not as the commit has them, each with the reason.
    package func finish(_ prepared: Prepared) -> [(path: [EntryName], reason: any Error)] {
        var failures: [(path: [EntryName], reason: any Error)] = []
        for (step, folders, file) in prepared.steps {
            do {
                guard try content(step.path).map({ SHA256.digest($0) }) == step.before else {
                    throw changed(step.path)
                }
                if let file {
                    try file.replace()
                    try folders[folders.count - 1].sync()
                } else {
                    try remove(step.path, folders)
                }
            } catch {
                failures.append((step.path, error))
            }
        }
        return failures
    }

    /// Removes a file, and the folders on the way to it that it leaves empty.
    private func remove(_ path: [EntryName], _ folders: [Folder]) throws {
        guard let name = path.last else { return }
        try folders[folders.count - 1].remove(text(name))
        for (depth, folder) in folders.enumerated().dropFirst().reversed() {
            guard try folder.items().isEmpty else { return }
            try folders[depth - 1].removeFolder(text(path[depth - 1]))
        }
    }

    /// Whether a name is one part of a path, which is all that a file can be called.
    private func isFileName(_ name: EntryName) -> Bool {
        !name.bytes.contains(UInt8(ascii: "/")) && !name.bytes.elementsEqual(".".utf8)
            && !name.bytes.elementsEqual("..".utf8)
    }

    private func changed(_ path: [EntryName]) -> DeviceError {
        .changedFile(path: String(decoding: PrettyLayout.path(path), as: UTF8.self))
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
                throw changed(path)
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
