package import Objects
package import SecretMemory
package import VaultKeys

/// Keys whose bytes are no secret.
package enum TestKeys {
    package static func secret(_ bytes: [UInt8]) -> SecretBytes {
        SecretBytes(count: bytes.count) { target in
            target.copyBytes(from: bytes)
            return bytes.count
        }
    }

    package static func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

    /// What a secret holds.
    package static func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withBytes { Array($0) } }

    /// A read key of 32 bytes.
    package static func readKey(_ bytes: [UInt8], vault: String = "abcd1234") -> ReadKey {
        guard let vaultID = VaultID(Array(vault.utf8)) else { fatalError("no vault id: \(vault)") }
        return ReadKey(secret: secret(bytes), vaultID: vaultID)
    }

    package static func cipher(_ bytes: [UInt8] = Array(0..<32)) -> EnvelopeCipher {
        EnvelopeCipher(readKey(bytes))
    }
}

/// Twelve bytes for tests in which it does not matter which.
package let anyNonce = [UInt8](100..<112)
