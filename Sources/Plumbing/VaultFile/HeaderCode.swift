import Cryptography
import Encodings
import SecretMemory
package import VaultKeys

/// The two codes of a header, and the keys that they are made with.
///
/// Whoever reads the vault can make `mac`. The list of locks has a code of its own, which only the vault key gives: a
/// holder of a read lock must not be able to take the owner's locks away.
///
/// - Source: docs/vault-file.md, "Codes".
package enum HeaderCode {
    /// The code of a header: 64 hex digits.
    static func make(_ authenticated: [UInt8], _ key: ReadKey) -> [UInt8] {
        Hex.encode(
            HMAC.authenticate(
                authenticated, key: HKDF.derive(from: key.secret, info: "sgvault/v1/header-mac")))
    }

    static func isRight(_ header: VaultHeader, _ key: ReadKey) -> Bool {
        ConstantTime.areEqual(make(header.authenticated, key), header.code)
    }
}

/// The key that proves a list of locks: both halves of what the vault key derives.
///
/// Made at its first use: it costs a PBKDF2, for the write key.
package final class OwnerKey {
    private let vaultKey: VaultKey
    private let readKey: ReadKey
    private lazy var secret = derive()

    package init(_ vaultKey: VaultKey, _ readKey: ReadKey) {
        self.vaultKey = vaultKey
        self.readKey = readKey
    }

    /// The code of a list of locks: 64 hex digits.
    package func code(of list: LockList, vaultID: [UInt8]) -> [UInt8] {
        Hex.encode(HMAC.authenticate(list.authenticated(vaultID: vaultID), key: secret))
    }

    package func proves(_ header: VaultHeader) -> Bool {
        ConstantTime.areEqual(
            code(of: header.lockList, vaultID: header.vaultID), header.locksCode)
    }

    private func derive() -> SecretBytes {
        let writeKey = vaultKey.writeKey()
        let both = SecretBytes(count: 64) { target in
            readKey.secret.withBytes { target.copyMemory(from: $0) }
            writeKey.withBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[32...]).copyMemory(from: $0)
            }
            return 64
        }
        return HKDF.derive(from: both, info: "sgvault/v1/owner-mac")
    }
}
