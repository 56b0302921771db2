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
package struct OpeningOptions: Sendable {
    private let key = KeyOptions()
    private let secret = SecretOptions()
    private let lock = Option(
        nil, "lock", "id", "open the lock of this id", { Lock.isID($0) ? $0 : nil })

    /// How many locks with a slow derivation are tried where none is named.
    package static let slowTries = 4

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
            let found = try unlock(file, offered, call)
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

    /// The key that one of the file's locks gives: of the lock that was named, or of the first of those that what is
    /// offered has the form for.
    private func unlock(
        _ file: VaultFile, _ offered: OfferedSecret, _ call: Invocation
    ) throws -> KeyString {
        let locks = file.header.lockList.locks
        let vaultID = file.header.vaultID
        if let id = call[lock] {
            guard let lock = file.header.lockList.lock(id) else {
                throw OpeningError.noLock(path: file.path, id: id)
            }
            return try lock.unseal(
                with: offered.secret(for: lock, vaultID: vaultID), vaultID: vaultID)
        }
        let candidates = offered.plausibleKinds.flatMap { kind in
            locks.filter { $0.kind == kind }
        }
        var tried: [any Error] = []
        var slow = 0
        for lock in candidates {
            do {
                // What is refused unseen costs nothing.
                try lock.checkForm()
                if lock.kind == .passphrase {
                    slow += 1
                    guard slow <= OpeningOptions.slowTries else { continue }
                }
                return try lock.unseal(
                    with: offered.secret(for: lock, vaultID: vaultID), vaultID: vaultID)
            } catch let error as LockError {
                if case .outOfMemory = error { throw error }
                tried.append(error)
            } catch let error as SecretOptionsError {
                // The helper of another lock.
                guard case .noProvider = error else { throw error }
            }
        }
        if let mistyped = offered.mistypedCode,
            locks.contains(where: { $0.kind == .recoveryCode })
        {
            throw OpeningError.mistypedCode(mistyped)
        }
        if slow > OpeningOptions.slowTries {
            throw OpeningError.notAllTried(path: file.path, left: slow - OpeningOptions.slowTries)
        }
        // Of one lock it can be said what is wrong with it.
        if tried.count == 1 { throw tried[0] }
        throw OpeningError.opensNothing(path: file.path, tried: tried.count)
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
