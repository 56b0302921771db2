package import Cryptography
import Encodings
package import SecretMemory

/// Why what a person gives is no secret of a lock's kind.
package enum LockSecretError: Error, Equatable {
    case noRecoveryCode(RecoveryCodeError)
    case noPassphrase(PassphraseError)
    case noSecret
    case noRSAKey
    case noP256Key
    /// A kind whose locks are not opened by anything that is read.
    case readNowhere(kind: [UInt8])
}

/// What a person offers for one lock.
package enum LockSecret {
    /// 16 bytes.
    case recoveryCode(SecretBytes)
    /// UTF-8 in NFC, 1 to 1024 bytes.
    case passphrase(SecretBytes)
    /// 32 bytes.
    case secret(SecretBytes)
    case rsaKey(RSAOAEP.PrivateKey)
    case p256Key(P256.PrivateKey)
    /// 32 bytes that a helper gave.
    case commandOutput(SecretBytes)

    /// Reads what a person gives as a kind asks.
    package static func read(
        _ content: SecretBytes, as kind: LockKind
    ) throws(LockSecretError) -> LockSecret {
        switch kind {
        case .recoveryCode:
            do throws(RecoveryCodeError) {
                return .recoveryCode(try RecoveryCode(content).secret)
            } catch {
                throw .noRecoveryCode(error)
            }
        case .passphrase:
            do throws(PassphraseError) {
                return .passphrase(try Passphrase.read(content))
            } catch {
                throw .noPassphrase(error)
            }
        case .secret:
            guard let secret = readSecret(content) else { throw .noSecret }
            return .secret(secret)
        case .rsaOAEP:
            guard let key = RSAOAEP.PrivateKey(pem: content) else { throw .noRSAKey }
            return .rsaKey(key)
        case .p256:
            guard let key = P256.PrivateKey(pem: content) else { throw .noP256Key }
            return .p256Key(key)
        case .command, .unknown: throw .readNowhere(kind: kind.name)
        }
    }

    /// 32 bytes as they are, or as 64 lower-case hex digits on a line.
    package static func readSecret(_ content: SecretBytes) -> SecretBytes? {
        if content.count == LockSecret.count { return content }
        let line = content.withoutLineEnd
        return line.count == 2 * LockSecret.count ? line.decodedHex(0..<line.count) : nil
    }

    /// In bytes.
    static let count = 32
}

extension SecretBytes {
    /// The bytes that lower-case hex digits stand for; nil where one is none.
    ///
    /// - Parameter range: an even number of them.
    func decodedHex(_ range: Range<Int>) -> SecretBytes? {
        var isHex = true
        let decoded = SecretBytes(count: range.count / 2) { target in
            withBytes { digits in
                for index in 0..<target.count {
                    let high = Hex.value(digits[range.lowerBound + 2 * index])
                    let low = Hex.value(digits[range.lowerBound + 2 * index + 1])
                    isHex = isHex && high != nil && low != nil
                    target[index] = (high ?? 0) << 4 | (low ?? 0)
                }
            }
            return target.count
        }
        return isHex ? decoded : nil
    }
}
