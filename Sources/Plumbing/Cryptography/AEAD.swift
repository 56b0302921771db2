import COpenSSL
package import SecretMemory

/// AES-256-GCM (NIST SP 800-38D) under one key: nonces of 12 bytes, tags of 16.
///
/// The algorithm is fetched and the key schedule made once; each call only changes the nonce. The context
/// holds the one copy of the key that is not in `SecretBytes`; libcrypto wipes it when it is freed.
package final class AEAD {
    package static let nonceCount = 12
    package static let tagCount = 16

    private let key: SecretBytes
    private let cipher: OpaquePointer
    /// Made at their first use.
    private var opener: OpaquePointer?
    private var sealer: OpaquePointer?

    /// - Parameter key: 32 bytes.
    package init(key: SecretBytes) {
        precondition(key.count == 32)
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
            CryptographicLibrary.fail("libcrypto has no AES-256-GCM")
        }
        self.key = key
        self.cipher = cipher
    }

    deinit {
        EVP_CIPHER_CTX_free(opener)
        EVP_CIPHER_CTX_free(sealer)
        EVP_CIPHER_free(cipher)
    }

    /// Turns ciphertext into plaintext in place and checks the tag, in constant time; false where it does not fit.
    ///
    /// The bytes are changed either way. After a false they are no plaintext to anyone: wipe them, or turn them
    /// back with a second call.
    package func open(
        _ bytes: UnsafeMutableRawBufferPointer, nonce: UnsafeRawBufferPointer,
        tag: UnsafeRawBufferPointer
    ) -> Bool {
        finishOpening(bytes, tag: tag, with: startOpening(nonce: nonce))
    }

    /// Turns plaintext into ciphertext in place and writes the tag.
    package func seal(
        _ bytes: UnsafeMutableRawBufferPointer, nonce: UnsafeRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) {
        finishSealing(bytes, tag: tag, with: startSealing(nonce: nonce))
    }

    // MARK: - The two halves of each: associated data comes between them

    func startOpening(nonce: UnsafeRawBufferPointer) -> OpaquePointer {
        let context = opener ?? makeContext(encrypting: 0)
        opener = context
        start(context, nonce: nonce)
        return context
    }

    func finishOpening(
        _ bytes: UnsafeMutableRawBufferPointer, tag: UnsafeRawBufferPointer,
        with context: OpaquePointer
    ) -> Bool {
        precondition(tag.count == AEAD.tagCount)
        transform(bytes, with: context)
        let expected = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, expected) == 1 else {
            return false
        }
        var written: Int32 = 0
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { rest in
            EVP_DecryptFinal_ex(context, rest.octets, &written) == 1
        }
    }

    func startSealing(nonce: UnsafeRawBufferPointer) -> OpaquePointer {
        let context = sealer ?? makeContext(encrypting: 1)
        sealer = context
        start(context, nonce: nonce)
        return context
    }

    func finishSealing(
        _ bytes: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer,
        with context: OpaquePointer
    ) {
        precondition(tag.count == AEAD.tagCount)
        transform(bytes, with: context)
        var written: Int32 = 0
        let finished = withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { rest in
            EVP_EncryptFinal_ex(context, rest.octets, &written)
        }
        let tagged = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag.baseAddress)
        guard finished == 1, tagged == 1 else { CryptographicLibrary.fail("libcrypto cannot seal") }
    }

    // MARK: -

    private func makeContext(encrypting: Int32) -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new() else {
            CryptographicLibrary.fail("libcrypto has no memory")
        }
        let status = key.withBytes { key in
            EVP_CipherInit_ex(
                context, cipher, nil, key.octets, nil,
                encrypting)
        }
        guard status == 1 else { CryptographicLibrary.fail("libcrypto refuses an AES-256-GCM key") }
        return context
    }

    private func start(_ context: OpaquePointer, nonce: UnsafeRawBufferPointer) {
        precondition(nonce.count == AEAD.nonceCount)
        let bytes = nonce.octets
        // -1: as it was made, for opening or for sealing.
        guard EVP_CipherInit_ex(context, nil, nil, nil, bytes, -1) == 1 else {
            CryptographicLibrary.fail("libcrypto refuses a nonce of 12 bytes")
        }
    }

    private func transform(_ bytes: UnsafeMutableRawBufferPointer, with context: OpaquePointer) {
        let largestPart = 1 << 30  // libcrypto counts in 31 bits
        var done = 0
        while done < bytes.count {
            let part = min(bytes.count - done, largestPart)
            let place = bytes.octets.map { $0 + done }
            var written: Int32 = 0
            guard EVP_CipherUpdate(context, place, &written, place, Int32(part)) == 1,
                written == part
            else { CryptographicLibrary.fail("libcrypto cannot run AES-256-GCM") }
            done += part
        }
    }
}
