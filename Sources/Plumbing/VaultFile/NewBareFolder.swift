import Cryptography
import FileSystem
import Objects

/// Why a store was not made of the members of a file.
package enum NewBareFolderError: Error {
    /// Something of the name `bare` is there.
    case exists(path: String)
    /// The bytes of an object hash to another name.
    case nameMismatch(MemberName)
    /// One name stands twice, or is also the folder of another.
    case repeatedName(MemberName)
}

/// A store that is being made in a folder: it appears whole as `bare`, or not at all.
package final class NewBareFolder {
    private let parent: Folder
    private let hold: DirectoryHold
    /// Where the files lie until all are there; nil once they have their place.
    private var staging: String?
    private var folders: [[String]: Folder] = [:]
    private let root: Folder

    private static let name = "bare"
    /// How many folders stay open for the next file.
    private static let openFolders = 16

    /// - Parameter folder: where `bare` is to stand; made where it is not there.
    package init(in folder: String, runtimeFolder: String?) throws {
        try Folder.make(folder)
        parent = try Folder(folder)
        guard try !parent.contains(NewBareFolder.name) else {
            throw NewBareFolderError.exists(path: folder + "/" + NewBareFolder.name)
        }
        hold = try DirectoryHold(on: folder, runtimeFolder: runtimeFolder)
        try parent.removeLeftoverFolders(of: NewBareFolder.name)
        let staging = PendingFile.temporaryName(for: NewBareFolder.name)
        root = try parent.folderMade(staging)
        self.staging = staging
        // What a store always has.
        for part in ["data", "refs"] { folders[[part]] = try root.folderMade(part) }
    }

    deinit {
        folders.removeAll()
        if let staging { try? parent.removeTree(staging) }
    }

    /// Writes a file of the store; the bytes of an object are checked against its name.
    ///
    /// - Throws: `NewBareFolderError`, `FileError`.
    package func add(_ name: MemberName, _ bytes: UnsafeRawBufferPointer) throws {
        if let object = name.object, !object.names(SHA256.digest(bytes)) {
            throw NewBareFolderError.nameMismatch(name)
        }
        try write(name, bytes)
    }

    package func add(_ name: MemberName, _ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try add(name, $0) }
    }

    /// Flushes everything and gives it its name.
    package func finish() throws {
        guard let staging else { return }
        try parent.syncFileSystem()
        guard try parent.rename(staging, to: NewBareFolder.name) else {
            throw NewBareFolderError.exists(path: parent.path + "/" + NewBareFolder.name)
        }
        self.staging = nil
        try parent.sync()
    }

    // MARK: -

    private func write(_ name: MemberName, _ bytes: UnsafeRawBufferPointer) throws {
        let parts = name.parts
        let target: Folder
        do throws(FileError) {
            target = try folder(parts.folders)
        } catch {
            guard case .notRegular = error else { throw error }
            throw NewBareFolderError.repeatedName(name)
        }
        guard try target.create(parts.file, with: bytes) else {
            throw NewBareFolderError.repeatedName(name)
        }
    }

    private func folder(_ path: [String]) throws(FileError) -> Folder {
        if let folder = folders[path] { return folder }
        guard let name = path.last else { return root }
        let made = try folder(path.dropLast()).folderMade(name)
        // Each has a descriptor open.
        if folders.count >= NewBareFolder.openFolders { folders.removeAll() }
        folders[path] = made
        return made
    }
}
