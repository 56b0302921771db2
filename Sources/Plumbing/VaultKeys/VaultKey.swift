import Cryptography
import Encodings
package import SecretMemory

/// The passphrase of a vault with its id: what reads and writes.
package struct VaultKey {
    /// UTF-8 as it was given; nothing is normalised, so two spellings of é are two keys.
    package let passphrase: SecretBytes
    package let vaultID: VaultID

    /// Rounds of PBKDF2 for both keys.
    package static let rounds = 600_000

    package init(passphrase: SecretBytes, vaultID: VaultID) {
        self.passphrase = passphrase
        self.vaultID = vaultID
    }

    /// The key that opens every file of the vault.
    ///
    /// One PBKDF2: 0.07 s.
    /// - Source: docs/vault-format.md, "Derivations".
    package func readKey() -> ReadKey {
        ReadKey(secret: derive("sg-vault-v1:"), vaultID: vaultID)
    }

    /// The credential that an HTTP host asks of a writer: 32 bytes; it encrypts nothing.
    ///
    /// One PBKDF2.
    package func writeKey() -> SecretBytes { derive("sg-vault-v1:write:") }

    /// Whether a machine made the passphrase, by its look: at least 24 characters, all of `[a-z0-9]`.
    ///
    /// One that a person chose can be guessed at the cost of a PBKDF2 a guess, whatever the locks are like.
    package var isMachineMade: Bool {
        passphrase.withBytes { bytes in
            bytes.count >= 24 && bytes.allSatisfy { $0.isLowercase || $0.isDigit }
        }
    }

    private func derive(_ domain: StaticString) -> SecretBytes {
        let salt = UnsafeBufferPointer(start: domain.utf8Start, count: domain.utf8CodeUnitCount)
        return PBKDF2.derive(passphrase, salt: Array(salt) + vaultID.bytes, rounds: VaultKey.rounds)
    }
}

/// The key that opens every file of one vault: 32 bytes, with the vault's id.
package struct ReadKey {
    package let secret: SecretBytes
    package let vaultID: VaultID

    /// - Parameter secret: 32 bytes.
    package init(secret: SecretBytes, vaultID: VaultID) {
        precondition(secret.count == 32)
        self.secret = secret
        self.vaultID = vaultID
    }

    /// A key that is derivable and that no file uses in sgit 0.26.
    package func structureKey() -> SecretBytes {
        HKDF.derive(from: secret, info: "sg-vault-v1:structure-key")
    }

    /// What tells one vault from another of the same id: 32 bytes that are no secret.
    package func fingerprint() -> [UInt8] {
        HKDF.derive(from: secret, info: "sgvault/v1/fingerprint").withBytes { Array($0) }
    }
}
