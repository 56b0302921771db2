import COpenSSL

/// ECDSA over P-256 with SHA-256 (FIPS 186-5), signatures as raw r ‖ s; key agreement is in P256KeyAgreement.swift.
package enum P256 {
    /// A public key.
    package final class PublicKey {
        let key: OpaquePointer

        /// Reads a SubjectPublicKeyInfo in PEM; nil unless it is one P-256 key.
        package init?(pem: [UInt8]) {
            guard let key = PEMKeys.publicKey(pem) else { return nil }
            self.key = key
            guard P256.isOnCurve(key) else { return nil }
        }

        init(_ key: OpaquePointer) {
            self.key = key
        }

        /// SubjectPublicKeyInfo in PEM: 64 columns, a line feed at the end.
        package var pem: [UInt8] {
            guard let target = BIO_new(BIO_s_mem()) else {
                CryptographicLibrary.fail("libcrypto gives no memory")
            }
            defer { BIO_free(target) }
            guard PEM_write_bio_PUBKEY(target, key) == 1 else {
                CryptographicLibrary.fail("libcrypto writes no public key")
            }
            return [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
                count = max(0, Int(BIO_read(target, buffer.baseAddress, Int32(buffer.count))))
            }
        }

        deinit {
            EVP_PKEY_free(key)
        }

        /// Whether `signature` is r ‖ s, 32 bytes each, big-endian, and this key made it over `message`.
        ///
        /// High and low `s` are both accepted, as sgit does. Any other length, and DER, is false.
        package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            guard let encoded = PublicKey.der(signature), let context = EVP_MD_CTX_new() else {
                return false
            }
            defer {
                EVP_MD_CTX_free(context)
                ERR_clear_error()
            }
            guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
                return false
            }
            return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
        }

        /// The DER form that libcrypto wants of r ‖ s; nil unless there are 64 bytes.
        private static func der(_ signature: [UInt8]) -> [UInt8]? {
            guard signature.count == 64, let pair = ECDSA_SIG_new() else { return nil }
            defer { ECDSA_SIG_free(pair) }
            let r = signature.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, 32, nil) }
            let s = signature.withUnsafeBufferPointer {
                BN_bin2bn($0.baseAddress.map { $0 + 32 }, 32, nil)
            }
            guard ECDSA_SIG_set0(pair, r, s) == 1 else { return nil }
            var encoded: UnsafeMutablePointer<UInt8>?
            let count = i2d_ECDSA_SIG(pair, &encoded)
            guard count > 0, let encoded else { return nil }
            defer { CRYPTO_free(encoded, #fileID, 0) }
            return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
        }
    }

    static func isOnCurve(_ key: OpaquePointer) -> Bool {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
            var length = 0
            guard EVP_PKEY_get_group_name(key, name.baseAddress, name.count, &length) == 1 else {
                return false
            }
            return name.baseAddress.map { String(cString: $0) == "prime256v1" } ?? false
        }
    }
}
