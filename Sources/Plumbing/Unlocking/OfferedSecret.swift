package import Locks
package import SecretMemory
import VaultKeys

/// What a person offers for locks: the bytes of a secret, which each kind of lock reads in its own way, and helpers.
package struct OfferedSecret {
    /// As it was read; nil where only helpers were named.
    package let content: SecretBytes?
    package let providers: [LockProvider]

    package init(content: SecretBytes?, providers: [LockProvider]) {
        self.content = content
        self.providers = providers
    }

    /// What is offered for one lock, read as its kind asks; runs the helper of a `command` lock.
    ///
    /// - Throws: `SecretOptionsError`, `LockSecretError`, `LockProviderError`, `ChildProcessError`; `LockError` for a lock
    ///   that no secret of this release opens.
    package func secret(for lock: Lock, vaultID: [UInt8]) throws -> LockSecret {
        try lock.checkForm()
        // What a helper is asked comes from the file, which nobody has proved yet.
        guard VaultID(vaultID) != nil, Lock.isID(lock.id) else {
            throw LockError.doesNotOpen(id: Array(lock.id.prefix(64)))
        }
        if let question = lock.commandQuestion(vaultID: vaultID), let name = lock.provider {
            guard let provider = providers.first(where: { $0.name == name }) else {
                throw SecretOptionsError.noProvider(name: name)
            }
            return .commandOutput(try provider.answer(question))
        }
        guard let content else { throw SecretOptionsError.noSecret }
        return try LockSecret.read(content, as: lock.kind)
    }

    /// What is wrong with a recovery code that was meant, told by its length and letters; nil for anything else.
    package var mistypedCode: RecoveryCodeError? {
        guard let content, content.count <= 256 else { return nil }
        do throws(RecoveryCodeError) {
            _ = try RecoveryCode(content)
            return nil
        } catch {
            switch error {
            case .wrongCheckCharacters: return error
            case .wrongLength(let count): return (24...30).contains(count) ? error : nil
            case .badCharacter: return nil
            }
        }
    }

    /// Whether what is offered is a recovery code, or was meant to be one.
    package var isCode: Bool {
        plausibleKinds.contains(.recoveryCode) || mistypedCode != nil
    }

    /// The kinds of lock that what is offered has the form for, those that cost little first.
    package var plausibleKinds: [LockKind] {
        let kinds: [LockKind] = [.recoveryCode, .secret, .rsaOAEP, .p256, .passphrase]
        let readable = kinds.filter { kind in
            guard let content else { return false }
            do throws(LockSecretError) {
                _ = try LockSecret.read(content, as: kind)
                return true
            } catch {
                return false
            }
        }
        return providers.isEmpty ? readable : readable + [.command]
    }
}
