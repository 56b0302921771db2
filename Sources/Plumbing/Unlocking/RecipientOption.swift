package import CommandInterface
import Cryptography
import FileSystem
package import Locks

/// The public key that a lock is sealed for.
package final class RecipientOption: Sendable {
    private let file = Option(
        nil, "recipient", "file", "the public key (PEM) that the lock is for", completion: .files,
        { $0.isEmpty ? nil : $0 })

    package init() {}

    package var element: UsageElement { .any(file) }

    package func isGiven(_ call: Invocation) -> Bool { call[file] != nil }

    /// What a lock for that key is sealed under; nil where no key is given, or a lock of that kind is for none.
    ///
    /// - Throws: `FileError`, `RecipientError`.
    package func secret(_ call: Invocation, for kind: LockKind) throws -> SealingSecret? {
        guard let path = call[file], kind == .rsaOAEP || kind == .p256 else { return nil }
        let pem = try FileContents.read(path, limit: RecipientOption.longestFile)
        if kind == .rsaOAEP {
            guard let key = RSAOAEP.PublicKey(pem: pem) else {
                throw RecipientError.noRSAKey(path: path)
            }
            return .rsaOAEP(key)
        }
        guard let key = P256.PublicKey(pem: pem) else { throw RecipientError.noP256Key(path: path) }
        return .p256(key, ephemeral: P256.PrivateKey())
    }

    private static let longestFile = 65_536
}

/// Why a lock is for nobody.
package enum RecipientError: Error, Equatable {
    case noRSAKey(path: [UInt8])
    case noP256Key(path: [UInt8])
}
