import COpenSSL
package import SecretMemory

extension P256 {
    /// A private key.
    package final class PrivateKey {
        let key: OpaquePointer

        /// Reads PKCS#8 or SEC 1 in PEM, not encrypted; nil unless it is one P-256 key.
        package init?(pem: SecretBytes) {
            guard let key = PEMKeys.privateKey(pem) else { return nil }
            self.key = key
            guard P256.isOnCurve(key) else { return nil }
        }

        /// Makes a new key pair.
        package init() {
            var made: OpaquePointer?
            if let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) {
                if EVP_PKEY_keygen_init(context) == 1,
                    EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1
                {
                    EVP_PKEY_keygen(context, &made)
                }
                EVP_PKEY_CTX_free(context)
            }
            guard let made else { CryptographicLibrary.fail("libcrypto makes no P-256 key") }
            key = made
        }

        deinit {
            EVP_PKEY_free(key)
        }

        package var publicKey: PublicKey {
            EVP_PKEY_up_ref(key)
            return PublicKey(key)
        }

        /// PKCS#8 in PEM, not encrypted.
        package var pem: SecretBytes {
            // Memory of this kind is wiped when it is let go.
            guard let target = BIO_new(BIO_s_secmem()) else {
                CryptographicLibrary.fail("libcrypto gives no memory")
            }
            defer { BIO_free(target) }
            guard PEM_write_bio_PKCS8PrivateKey(target, key, nil, nil, 0, nil, nil) == 1 else {
                CryptographicLibrary.fail("libcrypto writes no private key")
            }
            return SecretBytes(count: 1024) { buffer in
                max(0, Int(BIO_read(target, buffer.baseAddress, Int32(buffer.count))))
            }
        }

        /// r ‖ s, 32 bytes each, big-endian, over the SHA-256 of `message`.
        package func sign(_ message: [UInt8]) -> [UInt8] {
            guard let context = EVP_MD_CTX_new() else {
                CryptographicLibrary.fail("libcrypto gives no memory")
            }
            defer { EVP_MD_CTX_free(context) }
            var encoded = [UInt8](repeating: 0, count: 128)
            var count = encoded.count
            guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
                EVP_DigestSign(context, &encoded, &count, message, message.count) == 1,
                let signature = PrivateKey.raw(encoded.prefix(count))
            else { CryptographicLibrary.fail("libcrypto makes no signature") }
            return signature
        }

        /// r ‖ s of the DER form that libcrypto gives.
        private static func raw(_ encoded: ArraySlice<UInt8>) -> [UInt8]? {
            let pair = encoded.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var start = bytes.baseAddress
                return d2i_ECDSA_SIG(nil, &start, bytes.count)
            }
            guard let pair else { return nil }
            defer { ECDSA_SIG_free(pair) }
            var signature = [UInt8](repeating: 0, count: 64)
            let isWhole = signature.withUnsafeMutableBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return false }
                return BN_bn2binpad(ECDSA_SIG_get0_r(pair), start, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(pair), start + 32, 32) == 32
            }
            return isWhole ? signature : nil
        }
    }
}
