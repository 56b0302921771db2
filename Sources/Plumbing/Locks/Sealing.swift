package import Cryptography
import Encodings
package import SecretMemory
package import VaultKeys

/// What a new lock is sealed under.
package enum SealingSecret {
    /// 16 bytes.
    case recoveryCode(SecretBytes)
    /// UTF-8 in NFC, 1 to 1024 bytes.
    case passphrase(SecretBytes, PassphraseDerivation)
    /// 32 bytes.
    case secret(SecretBytes)
    case rsaOAEP(RSAOAEP.PublicKey)
    /// - ephemeral: a key that is used this once.
    case p256(P256.PublicKey, ephemeral: P256.PrivateKey)
    /// - ask: has the helper answer, with 32 bytes.
    case command(provider: [UInt8], ask: (CommandQuestion) throws -> SecretBytes)

    package var kind: LockKind {
        switch self {
        case .recoveryCode: .recoveryCode
        case .passphrase: .passphrase
        case .secret: .secret
        case .rsaOAEP: .rsaOAEP
        case .p256: .p256
        case .command: .command
        }
    }
}

extension Lock {
    /// Seals a key in a new lock, with an id, a salt and a nonce of its own.
    ///
    /// - Parameters:
    ///   - grant: of a vault key, `read` seals the read key that follows from it: one PBKDF2.
    ///   - createdAt: `YYYY-MM-DDTHH:MM:SSZ`.
    ///   - label: as `Lock.label` gives it.
    /// - Throws: `LockError`; what `ask` of a `command` lock throws.
    /// - Source: docs/vault-file.md, "Locks".
    package static func seal(
        _ key: KeyString, grant: Grant, under secret: SealingSecret, createdAt: [UInt8],
        label: [UInt8], random: RandomBytes
    ) throws -> Lock {
        let granted = try granted(key, grant)
        guard let plaintext = Credential.encode(granted) else { throw LockError.unsealableKey }
        let id = Hex.encode(random.bytes(idCount))
        let salt = random.bytes(saltCount)
        let wrapped = try wrap(
            secret, salt: salt, id: id, vaultID: granted.vaultID.bytes, random: random)

        var lock = Lock(
            .object([
                .init("created_at", .string(createdAt)), .init("grants", .text(grant.rawValue)),
                .init("id", .string(id)), .init("kind", .string(secret.kind.name)),
                .init("label", .string(label)),
                .init(
                    "params",
                    .object(wrapped.parameters + [.init("salt", .string(Hex.encode(salt)))])),
            ]))
        let sealed = AEAD.seal(
            plaintext, key: wrapKey(wrapped.secret, salt: salt, kind: lock.kindName),
            nonce: random.bytes(AEAD.nonceCount),
            associatedData: lock.associatedData(vaultID: granted.vaultID.bytes))
        var document = lock.document
        document.set("sealed", .string(Hex.encode(sealed)))
        lock = Lock(document)
        return lock
    }

    /// A label as it is written: NFC; nil where it is too long or holds control characters.
    @Sendable package static func label(_ text: [UInt8]) -> [UInt8]? {
        let typed = SecretBytes(count: text.count) { target in
            target.copyBytes(from: text)
            return text.count
        }
        do throws(ComposedTextError) {
            let composed = try ComposedText.compose(typed, acceptingUnassigned: true)
            let label = composed.withBytes { Array($0) }
            let count = String(decoding: label, as: UTF8.self).unicodeScalars.count
            return count <= longestLabel && !CanonicalJSON.holdsControls(label) ? label : nil
        } catch {
            return nil
        }
    }

    // MARK: -

    /// In bytes.
    private static let idCount = 8

    private static func granted(_ key: KeyString, _ grant: Grant) throws(LockError) -> KeyString {
        switch (key, grant) {
        case (.vaultKey(let key), .read): .readKey(key.readKey())
        case (.readKey, .vault): throw .readKeyGrantsNoVault
        default: key
        }
    }

    /// What the wrapping key is derived from, and what the lock says beside the salt.
    private static func wrap(
        _ secret: SealingSecret, salt: [UInt8], id: [UInt8], vaultID: [UInt8], random: RandomBytes
    ) throws -> (secret: SecretBytes, parameters: [JSONValue.Member]) {
        switch secret {
        case .recoveryCode(let bytes), .secret(let bytes): return (bytes, [])
        case .passphrase(let text, let derivation):
            do throws(OutOfMemory) {
                return (try derivation.derive(text, salt: salt), derivation.members)
            } catch {
                throw LockError.outOfMemory(id: id, error)
            }
        case .rsaOAEP(let recipient):
            let fresh = SecretBytes(count: LockSecret.count) { target in
                random.write(into: target)
                return target.count
            }
            let encrypted = recipient.encrypt(fresh)
            return (
                fresh,
                [
                    .init("enc", .string(Hex.encode(encrypted))),
                    .init("recipient", .string(Hex.encode(recipient.fingerprint))),
                ]
            )
        case .p256(let recipient, let ephemeral):
            guard let shared = ephemeral.agree(with: recipient) else {
                throw LockError.doesNotOpen(id: id)
            }
            return (
                shared,
                [
                    .init("epk", .string(Hex.encode(ephemeral.publicKey.point))),
                    .init("recipient", .string(Hex.encode(recipient.fingerprint))),
                ]
            )
        case .command(let provider, let ask):
            let challenge = random.bytes(challengeCount)
            let question = CommandQuestion(vaultID: vaultID, lockID: id, challenge: challenge)
            return (
                try ask(question),
                [
                    .init("challenge", .string(Hex.encode(challenge))),
                    .init("provider", .string(provider)),
                ]
            )
        }
    }
}
