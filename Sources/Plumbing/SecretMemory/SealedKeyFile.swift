import CLinux
import Glibc

/// A secret in a file without a name, for a program that this process turns into.
///
/// Only who inherits the descriptor finds it; nobody can change it, and it is gone with its last reader.
package struct SealedKeyFile {
    /// Stays open over an exec.
    package let descriptor: Int32

    /// F_ADD_SEALS, which Glibc does not show.
    private static let addSeals: Int32 = 1024 + 9
    /// From then on nothing of the file changes: not its bytes, its size, nor these seals.
    private static let allSeals: Int32 = 1 | 2 | 4 | 8

    /// - Throws: `SealedKeyFileError` where the kernel gives no such file.
    package init(_ secret: SecretBytes) throws(SealedKeyFileError) {
        let file = clinux_memory_file("key")
        guard file >= 0 else { throw SealedKeyFileError(code: errno) }
        // The offset stays at the start, for a reader that does not go back to it.
        let written = secret.withBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard written == secret.count, fchmod(file, 0o400) == 0,
            fcntl(file, SealedKeyFile.addSeals, SealedKeyFile.allSeals) == 0
        else {
            let code = errno
            close(file)
            throw SealedKeyFileError(code: code)
        }
        descriptor = file
    }
}

/// The system's number for why a secret could not be handed on.
package struct SealedKeyFileError: Error {
    package let code: Int32
}
