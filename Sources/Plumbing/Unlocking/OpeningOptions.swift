package import CommandInterface
package import Locks
import Objects
import Plumbing
import SecretMemory
package import VaultFile
import VaultKeys

/// How a tool that reads a vault file may be given what opens it: the key, or the secret of one of its locks.
///
/// - Source: docs/vault-file.md, "Opening".
package final class OpeningOptions: Sendable {
    private let key = KeyOptions()
    private let secret = SecretOptions()
    private let lock = Option(
        nil, "lock", "id", "open the lock of this id", { Lock.isID($0) ? $0 : nil })

    package init() {}

    package var elements: UsageElement {
        .group([key.elements, secret.elements, .any(lock)])
    }

    /// Opens a file with what the call gives, and verifies all of it; nil where the call gives nothing.
    ///
    /// - Throws: `OpeningError`, and what taking a key or secret and `VaultFile.verify` throw.
    package func open(_ file: VaultFile, _ call: Invocation) throws -> VaultFile.Verified? {
        key.prepare(call)
        if let offered = try secret.offered(call) {
            guard !key.isNamed(call) else {
                throw UsageError(
                    "a key and a secret do not go together: one of them opens the file")
            }
            let locks = LockedVault(path: file.path, file.header)
            let found = try locks.open(with: offered, lock: call[lock]).key
            return try verify(file, found, isProven: true)
        }
        guard call[lock] == nil else { throw SecretOptionsError.noSecret }
        return try key.givenKey(call).map { try verify(file, $0, isProven: false) }
    }

    // MARK: -

    private func verify(
        _ file: VaultFile, _ key: KeyString, isProven: Bool
    ) throws -> VaultFile.Verified {
        switch key {
        case .readKey(let key):
            return try file.verify(key, owner: nil, isProvenKey: isProven)
        case .vaultKey(let key):
            let readKey = key.readKey()
            return try file.verify(
                readKey, owner: OwnerKey(key, readKey), isProvenKey: isProven)
        }
    }
}

/// Why no lock of a file was opened.
package enum OpeningError: Error {
    case noLock(path: String, id: [UInt8])
    case opensNothing(path: String, tried: Int)
    /// What is offered is a recovery code but for a mistake.
    case mistypedCode(RecoveryCodeError)
    /// Some locks with a slow derivation were not tried.
    case notAllTried(path: String, left: Int)
}
