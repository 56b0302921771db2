import Cryptography
import Encodings
import SecretMemory
package import VaultKeys

extension Lock {
    /// The key that the lock holds.
    ///
    /// Everything of the lock's that could be too much is looked at before it is acted on. At most one slow derivation.
    /// - Parameter vaultID: the vault that the lock says it belongs to; the key inside must be of that one.
    /// - Source: docs/vault-file.md, "Opening".
    package func unseal(with secret: LockSecret, vaultID: [UInt8]) throws(LockError) -> KeyString {
        let form = try Form(of: self)
        guard let wrapped = try wrappedSecret(secret, form),
            let plaintext = AEAD.open(
                form.sealed, key: Lock.wrapKey(wrapped, salt: form.salt, kind: kindName),
                associatedData: associatedData(vaultID: vaultID)),
            let key = Credential.decode(plaintext, grant: form.grant, vaultID: vaultID)
        else { throw .doesNotOpen(id: id) }
        return key
    }

    /// Whether the lock is one that this release opens: its kind, its lengths and its bounds.
    package func checkForm() throws(LockError) {
        _ = try Form(of: self)
    }

    // MARK: -

    /// What every lock has and what its kind adds, taken out of the document and in bounds.
    private struct Form {
        let grant: Grant
        let salt: [UInt8]
        let sealed: [UInt8]
        let parameters: Parameters

        enum Parameters {
            case none
            case passphrase(PassphraseDerivation)
            case rsaOAEP(recipient: [UInt8], encrypted: [UInt8])
            case p256(recipient: [UInt8], ephemeral: [UInt8])
        }

        init(of lock: Lock) throws(LockError) {
            if case .unknown(let name) = lock.kind { throw .unusable(id: lock.id, name: name) }
            let overhead = AEAD.overhead
            guard let grant = lock.grant, let salt = lock.hex("salt", count: Lock.saltCount),
                let sealed = lock.sealed, sealed.count > overhead,
                (sealed.count - overhead).isMultiple(of: LockBounds.credentialUnit),
                LockBounds.credentialUnits.contains(
                    (sealed.count - overhead) / LockBounds.credentialUnit)
            else { throw .doesNotOpen(id: lock.id) }
            self.grant = grant
            self.salt = salt
            self.sealed = sealed
            switch lock.kind {
            case .passphrase: parameters = .passphrase(try PassphraseDerivation(of: lock))
            case .rsaOAEP:
                guard let recipient = lock.hex("recipient", count: 32),
                    let encrypted = lock.hex("enc")
                else { throw .doesNotOpen(id: lock.id) }
                guard LockBounds.rsaCount.contains(encrypted.count) else {
                    throw .outOfBounds(id: lock.id, parameter: "enc")
                }
                parameters = .rsaOAEP(recipient: recipient, encrypted: encrypted)
            case .p256:
                guard let recipient = lock.hex("recipient", count: 32),
                    let ephemeral = lock.hex("epk", count: P256.pointCount)
                else { throw .doesNotOpen(id: lock.id) }
                parameters = .p256(recipient: recipient, ephemeral: ephemeral)
            case .command:
                guard lock.commandQuestion(vaultID: []) != nil else {
                    throw .doesNotOpen(id: lock.id)
                }
                parameters = .none
            case .recoveryCode, .secret, .unknown: parameters = .none
            }
        }
    }

    /// What the wrapping key is derived from; nil where the secret is of another kind or does not fit.
    private func wrappedSecret(
        _ secret: LockSecret, _ form: Form
    ) throws(LockError) -> SecretBytes? {
        switch (secret, kind, form.parameters) {
        case (.recoveryCode(let bytes), .recoveryCode, _), (.secret(let bytes), .secret, _),
            (.commandOutput(let bytes), .command, _):
            return bytes
        case (.passphrase(let text), _, .passphrase(let derivation)):
            do throws(OutOfMemory) {
                return try derivation.derive(text, salt: form.salt)
            } catch {
                throw .outOfMemory(id: id, error)
            }
        case (.rsaKey(let key), _, .rsaOAEP(let recipient, let encrypted)):
            let own = key.publicKey
            guard own.fingerprint == recipient, own.count == encrypted.count,
                let bytes = key.decrypt(encrypted), bytes.count == LockSecret.count
            else { return nil }
            return bytes
        case (.p256Key(let key), _, .p256(let recipient, let ephemeral)):
            guard key.publicKey.fingerprint == recipient,
                let other = P256.PublicKey(point: ephemeral)
            else { return nil }
            return key.agree(with: other)
        default: return nil
        }
    }

    /// The bytes of a parameter in hex; nil where it is absent, another value, or of another length.
    func hex(_ name: StaticString, count: Int? = nil) -> [UInt8]? {
        guard case .string(let digits)? = parameters[name], let bytes = Hex.decode(digits) else {
            return nil
        }
        return count == nil || bytes.count == count ? bytes : nil
    }

    // MARK: - What sealing does alike

    static let saltCount = 16

    static func wrapKey(_ secret: SecretBytes, salt: [UInt8], kind: [UInt8]) -> SecretBytes {
        HKDF.derive(from: secret, salt: salt, info: Array("sgvault/v1/lock/".utf8) + kind)
    }

    /// What nobody can change without the secret: all but the label and the time.
    func associatedData(vaultID: [UInt8]) -> [UInt8] {
        let members = document.members.filter { member in
            ["grants", "id", "kind", "params"].contains { member.name.isEqual(to: $0) }
        }
        return Lock(.object(members)).line(vaultID: vaultID)
    }
}
