import Encodings
import SecretMemory
import VaultKeys

/// The key as it lies in a lock.
///
///     grants vault:   passphrase ":" vault-id
///     grants read:    64 lower-case hex digits ":" vault-id
///
/// Filled up with zero bytes to a multiple of 64. It is no typed key: nothing is trimmed, no prefix comes off, and
/// which of the two it is, the lock says.
/// - Source: docs/vault-file.md, "Locks".
enum Credential {
    private static let colon = UInt8(ascii: ":")
    private static let readKeyDigits = 64

    /// The bytes that are sealed; nil where no lock can hold them.
    static func encode(_ key: KeyString) -> SecretBytes? {
        let (secret, vaultID, isHex) =
            switch key {
            case .vaultKey(let key): (key.passphrase, key.vaultID, false)
            case .readKey(let key): (key.secret, key.vaultID, true)
            }
        let count = (isHex ? readKeyDigits : secret.count) + 1 + vaultID.bytes.count
        let unit = LockBounds.credentialUnit
        let units = (count + unit - 1) / unit
        guard LockBounds.credentialUnits.contains(units), secret.count > 0,
            isHex || !secret.withBytes({ $0.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D } })
        else { return nil }
        return SecretBytes(count: units * unit) { target in
            secret.withBytes { secret in
                for (index, byte) in secret.enumerated() {
                    if isHex {
                        target[2 * index] = Hex.digit(byte >> 4)
                        target[2 * index + 1] = Hex.digit(byte & 15)
                    } else {
                        target[index] = byte
                    }
                }
            }
            for (index, byte) in ([colon] + vaultID.bytes).enumerated() {
                target[count - 1 - vaultID.bytes.count + index] = byte
            }
            return target.count
        }
    }

    /// The key; nil where the bytes are none of that grant, or of another vault.
    static func decode(_ plaintext: SecretBytes, grant: Grant, vaultID: [UInt8]) -> KeyString? {
        let (end, colon, isPlain) = plaintext.withBytes { bytes in
            let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
            let key = UnsafeRawBufferPointer(rebasing: bytes[..<end])
            // A key is one line, and the padding no longer than it must be.
            return (
                end, key.lastIndex(of: Credential.colon),
                !key.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D } && UTF8Text.isValid(key)
                    && bytes.count - end < LockBounds.credentialUnit
            )
        }
        guard isPlain, let colon, colon > 0,
            let found = VaultID(plaintext.withBytes { Array($0[colon + 1..<end]) }),
            found.bytes == vaultID
        else { return nil }
        switch grant {
        case .vault:
            return .vaultKey(VaultKey(passphrase: plaintext.copy(0..<colon), vaultID: found))
        case .read:
            guard colon == readKeyDigits, let secret = plaintext.decodedHex(0..<colon) else {
                return nil
            }
            return .readKey(ReadKey(secret: secret, vaultID: found))
        }
    }
}
