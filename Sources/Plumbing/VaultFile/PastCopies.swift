import Cryptography
import FileSystem
import Objects

/// The copies of a vault file that were replaced: `.versions/<stem>/<UTC time>-<device>.sgvault` beside it.
///
/// - Source: docs/vault-file.md, "Writing".
final class PastCopies {
    private let folder: Folder
    /// Those that this run made.
    private var made: Set<String> = []

    /// How many are kept; more where one holds what the new file does not.
    static let kept = 5
    static let ending = ".sgvault"

    /// Opens the folder for the copies of the file `name`; made where it is not there.
    init(of name: String, in parent: Folder) throws(FileError) {
        var stem = name
        if name.hasSuffix(PastCopies.ending) {
            stem = String(name.dropLast(PastCopies.ending.count))
        }
        // A folder of such a name is another one.
        if ["", ".", ".."].contains(stem) { stem = name }
        // A link would lead the copies elsewhere.
        let versions = try parent.folderMade(".versions")
        folder = try versions.folderMade(stem)
        try versions.sync()
        try parent.sync()
        try folder.removeLeftovers()
    }

    /// Keeps the file `name` of `parent` under a name of its time, unless the newest copy is the same.
    ///
    /// - Returns: whether the file system has no links, so that it was copied.
    func keep(
        _ file: StoredFile, named name: String, of parent: Folder, device: String, now: Int
    ) throws -> Bool {
        if let newest = try names().last, try isSame(newest, as: file) { return false }
        let time = String(Timestamp.rfc3339(now).filter { $0 != "-" && $0 != ":" })
        var number = 1
        while true {
            let ending = (number == 1 ? "" : "-\(number)") + PastCopies.ending
            let copy = "\(time)-\(device)\(ending)"
            let result = try parent.link(name, into: folder, as: copy)
            guard result != .taken else {
                number += 1
                continue
            }
            try folder.sync()
            made.insert(copy)
            return result == .copied
        }
    }

    /// Removes the oldest copies past the number kept, as far as `isCovered` says that nothing goes with them; never one
    /// that this run made, nor a file of another name.
    func prune(_ isCovered: (VaultFile) throws -> Bool) throws {
        let names = try names()
        var surplus = names.count - PastCopies.kept
        for name in names where surplus > 0 && !made.contains(name) {
            // A copy that cannot be read is no copy that can be judged.
            guard let copy = try? VaultFile(StoredFile(name, in: folder)),
                (try? isCovered(copy)) == true
            else { continue }
            try folder.remove(name)
            surplus -= 1
        }
    }

    /// The copies, oldest first.
    private func names() throws(FileError) -> [String] {
        try folder.names().filter(PastCopies.isCopy)
            .map { String($0.dropLast(PastCopies.ending.count)) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { $0 + PastCopies.ending }
    }

    /// Whether a name begins with a time as `keep` writes it, and ends as a vault file's does.
    private static func isCopy(_ name: String) -> Bool {
        let form = Array("00000000T000000.000Z-".utf8)
        let name = Array(name.utf8)
        return name.count > form.count && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
            && zip(name, form).allSatisfy { $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 }
    }

    private func isSame(_ name: String, as file: StoredFile) throws -> Bool {
        let copy: StoredFile
        do throws(FileError) {
            copy = try StoredFile(name, in: folder)
        } catch {
            guard case .notRegular = error else { throw error }
            return false
        }
        if copy.identity.isSameContent(as: file.identity) { return true }
        guard copy.size == file.size else { return false }
        return try PastCopies.digest(copy) == PastCopies.digest(file)
    }

    private static func digest(_ file: StoredFile) throws(FileError) -> SHA256Digest {
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = try file.read(at: offset, into: buffer)
            if count == 0 { return hash.finish() }
            hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
    }
}
