import FileSystem
import SecretMemory

/// A new file that only its owner can read, for a secret that a person asked to have in one.
enum PrivateFile {
    /// - Throws: `PrivateFileError.exists`, `FileError`.
    static func create(_ path: String, _ secret: SecretBytes) throws {
        let folder = path.utf8.contains(UInt8(ascii: "/")) ? FileTarget.folder(of: path) : "."
        let name =
            path.utf8.contains(UInt8(ascii: "/"))
            ? String(
                decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1),
                as: UTF8.self)
            : path
        guard !FileTarget.isNamed(path) else { throw PrivateFileError.exists(path: path) }
        let file = try PendingFile(name, in: Folder(folder), mode: 0o600)
        try secret.withBytes { try file.write($0) }
        try file.sync()
        guard try file.take() else { throw PrivateFileError.exists(path: path) }
    }
}

enum PrivateFileError: Error {
    case exists(path: String)
}
