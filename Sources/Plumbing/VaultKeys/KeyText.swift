import Encodings
package import SecretMemory

extension KeyString {
    /// The key as it is written down, with the prefix that says its kind.
    package var text: SecretBytes { written("") }

    /// The same with a line feed.
    package var line: SecretBytes { written("\n") }

    private func written(_ end: String) -> SecretBytes {
        let (prefix, secret, isHex) =
            switch self {
            case .vaultKey(let key): ("sgit_private_vault_", key.passphrase, false)
            case .readKey(let key): ("sgit_private_read_", key.secret, true)
            }
        let tail = ":\(vaultID.text)\(end)"
        let count = prefix.utf8.count + secret.count * (isHex ? 2 : 1) + tail.utf8.count
        return SecretBytes(count: count) { target in
            var place = 0
            func put(_ byte: UInt8) {
                target[place] = byte
                place += 1
            }
            prefix.utf8.forEach(put)
            secret.withBytes { secret in
                for byte in secret {
                    if isHex {
                        put(Hex.digit(byte >> 4))
                        put(Hex.digit(byte & 15))
                    } else {
                        put(byte)
                    }
                }
            }
            tail.utf8.forEach(put)
            return place
        }
    }
}
