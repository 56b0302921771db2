import COpenSSL
package import SecretMemory

/// Messages that are sealed once, together with data that stands beside them in clear.
///
/// Layout, in bytes:        nonce(12) ‖ ciphertext(n) ‖ tag(16)
extension AEAD {
    /// What a message that is sealed is longer by.
    package static let overhead = nonceCount + tagCount

    /// The plaintext; nil where the tag does not fit the key, the message and the data.
    package static func open(
        _ sealed: [UInt8], key: SecretBytes, associatedData: [UInt8]
    ) -> SecretBytes? {
        guard sealed.count >= overhead else { return nil }
        let cipher = AEAD(key: key)
        var isAuthentic = false
        let plaintext = sealed.withUnsafeBytes { sealed in
            let rest = sealed.dropFirst(nonceCount)
            return SecretBytes(count: sealed.count - overhead) { target in
                let context = cipher.startOpening(
                    nonce: UnsafeRawBufferPointer(rebasing: sealed.prefix(nonceCount)))
                associate(associatedData, with: context)
                target.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: rest.dropLast(tagCount)))
                isAuthentic = cipher.finishOpening(
                    target, tag: UnsafeRawBufferPointer(rebasing: rest.suffix(tagCount)),
                    with: context)
                return target.count
            }
        }
        return isAuthentic ? plaintext : nil
    }

    /// Seals a message.
    ///
    /// - Parameter nonce: 12 bytes that no other message under this key has.
    package static func seal(
        _ plaintext: SecretBytes, key: SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        let cipher = AEAD(key: key)
        return [UInt8](unsafeUninitializedCapacity: plaintext.count + overhead) { buffer, count in
            let sealed = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(plaintext.count + overhead)])
            sealed.copyBytes(from: nonce)
            let context = nonce.withUnsafeBytes { cipher.startSealing(nonce: $0) }
            associate(associatedData, with: context)
            let message = UnsafeMutableRawBufferPointer(
                rebasing: sealed[nonceCount..<nonceCount + plaintext.count])
            plaintext.withBytes { message.copyMemory(from: $0) }
            cipher.finishSealing(
                message, tag: UnsafeMutableRawBufferPointer(rebasing: sealed.suffix(tagCount)),
                with: context)
            count = sealed.count
        }
    }

    private static func associate(_ data: [UInt8], with context: OpaquePointer) {
        var written: Int32 = 0
        // Without a target, libcrypto takes the bytes as associated data.
        guard EVP_CipherUpdate(context, nil, &written, data, Int32(data.count)) == 1 else {
            CryptographicLibrary.fail("libcrypto takes no associated data")
        }
    }
}
