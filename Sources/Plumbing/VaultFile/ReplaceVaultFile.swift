package import FileSystem

/// Why a vault file was not written.
package enum ReplaceError: Error {
    /// sgit would commit the file like any other: the folder lies in a working copy.
    case inWorkingCopy(path: String, copy: String)
    /// The file changed again and again while it was being replaced.
    case moved(path: String)
}

/// The place of a vault file, held for one writer: what stands there is replaced by a verified file, or stays.
///
/// At no moment is there no file. What is replaced is kept in `.versions` first, and read again right before the new one
/// takes its place.
///
/// - Source: docs/vault-file.md, "Writing".
package final class VaultFilePlace {
    package let target: FileTarget
    private let folder: Folder
    private let hold: DirectoryHold
    private let device: String
    private let now: Int
    /// Whether something had to be done without links between files.
    package private(set) var hasNoLinks = false

    /// How often a file that changes under the writer is looked at anew.
    private static let attempts = 3

    /// - Parameters:
    ///   - device: what the copies that this device makes are called: `[A-Za-z0-9-]{1,32}`.
    ///   - now: milliseconds since 1970, for their names.
    /// - Throws: `ReplaceError`, `FileError`.
    package init(
        _ path: String, device: String, now: Int, runtimeFolder: String?
    ) throws {
        target = try FileTarget(path)
        if let copy = VaultFilePlace.workingCopy(above: target.folder) {
            throw ReplaceError.inWorkingCopy(path: path, copy: copy)
        }
        self.device = device
        self.now = now
        folder = try Folder(target.folder)
        hold = try DirectoryHold(on: target.folder, runtimeFolder: runtimeFolder)
        try folder.removeLeftovers(of: target.name)
    }

    /// Replaces the file.
    ///
    /// - Parameters:
    ///   - compose: what to do about the file that stands there, nil where none does: the way to write the new one, or
    ///     nil where there is nothing to say. It may be asked again.
    ///   - verify: reads the new file before it takes its place.
    ///   - isCovered: whether a past copy holds nothing that the new file lacks.
    /// - Returns: whether a file was written.
    /// - Throws: `ReplaceError.moved`, `FileError`, and what the closures throw; then the file is as it was.
    package func replace(
        compose: (VaultFile?) throws -> (
            ((@escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Void)?
        ),
        verify: (VaultFile) throws -> Void, isCovered: (VaultFile) throws -> Bool
    ) throws -> Bool {
        for _ in 0..<VaultFilePlace.attempts {
            let existing = try open()
            guard let write = try compose(existing) else { return false }
            // Begun for its owner alone; it takes over the permissions of the one that it replaces.
            let file = try PendingFile(target.name, in: folder, mode: 0o600, keepsPermissions: true)
            try write { try file.write($0) }
            try file.sync()
            let made = try file.makeReady()
            try verify(VaultFile(StoredFile(made, in: folder)))
            var past: PastCopies?
            guard try isUnchanged(existing) else { continue }
            if let existing {
                let copies = try PastCopies(of: target.name, in: folder)
                hasNoLinks =
                    try copies.keep(
                        existing.zip.file, named: target.name, of: folder, device: device, now: now)
                    || hasNoLinks
                past = copies
            }
            guard try isUnchanged(existing), try put(file, inPlaceOf: existing, past) else {
                continue
            }
            try folder.sync()
            try past?.prune(isCovered)
            return true
        }
        throw ReplaceError.moved(path: target.path)
    }

    // MARK: -

    /// Gives the new file its name.
    ///
    /// A file that another program put there since the last look is kept as a past copy; where there was none before, it
    /// stays and false is returned.
    private func put(
        _ file: PendingFile, inPlaceOf existing: VaultFile?, _ past: PastCopies?
    ) throws -> Bool {
        guard let existing, let past else { return try file.take() }
        guard let removed = try file.exchange() else {
            try file.replace()
            return true
        }
        let found = try StoredFile(removed, in: folder)
        if !found.identity.isSameContent(as: existing.zip.file.identity) {
            _ = try past.keep(found, named: removed, of: folder, device: device, now: now)
        }
        return true
    }

    private func open() throws -> VaultFile? {
        let file: StoredFile
        do throws(FileError) {
            file = try StoredFile(target.name, in: folder)
        } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
        return try VaultFile(file)
    }

    private func isUnchanged(_ existing: VaultFile?) throws(FileError) -> Bool {
        do throws(FileError) {
            let now = try StoredFile(target.name, in: folder).identity
            return existing.map { now.isSameContent(as: $0.zip.file.identity) } ?? false
        } catch {
            guard case .notFound = error else { throw error }
            return existing == nil
        }
    }

    /// The nearest folder from `folder` upward that holds a working copy of sgit.
    private static func workingCopy(above folder: String) -> String? {
        var current = Array(folder.utf8)[...]
        while true {
            let place = String(decoding: current, as: UTF8.self)
            if Folder.exists(place + "/.sg_vault") { return place.isEmpty ? "/" : place }
            guard let slash = current.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            current = current[..<slash]
        }
    }
}
