import FileSystem
import SecretMemory

/// A new file that only its owner can read, for a secret that a person asked to have in one.
enum PrivateFile {
    /// - Throws: `PrivateFileError.exists`, `FileError`.
    static func create(_ path: String, _ secret: SecretBytes) throws {
        let (folder, name) = parts(path)
        guard !FileTarget.isNamed(path) else { throw PrivateFileError.exists(path: path) }
        let file = try PendingFile(name, in: Folder(folder), mode: 0o600)
        try secret.withBytes { try file.write($0) }
        try file.sync()
        guard try file.take() else { throw PrivateFileError.exists(path: path) }
    }

    /// Takes away a file that was made here.
    static func remove(_ path: String) throws {
        let (folder, name) = parts(path)
        try Folder(folder).remove(name)
    }

    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard path.utf8.contains(UInt8(ascii: "/")) else { return (".", path) }
        let folder = FileTarget.folder(of: path)
        return (
            folder,
            String(
                decoding: path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1),
                as: UTF8.self)
        )
    }
}

enum PrivateFileError: Error {
    case exists(path: String)
}
