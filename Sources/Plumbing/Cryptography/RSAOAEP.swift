import COpenSSL
package import SecretMemory

/// RSA-OAEP (RFC 8017) with SHA-256, MGF1 with SHA-256 and no label.
package enum RSAOAEP {
    /// The lengths of a modulus that are taken, in bits.
    package static let bits = 2048...8192

    /// A public key that encrypts.
    package final class PublicKey {
        fileprivate let key: OpaquePointer

        /// Reads a SubjectPublicKeyInfo in PEM; nil unless it is one RSA key of such a length.
        package init?(pem: [UInt8]) {
            guard let key = PEMKeys.publicKey(pem) else { return nil }
            self.key = key
            guard RSAOAEP.isTaken(key) else { return nil }
        }

        fileprivate init(_ key: OpaquePointer) {
            self.key = key
        }

        deinit {
            EVP_PKEY_free(key)
        }

        /// The length of a ciphertext, in bytes.
        package var count: Int { Int(EVP_PKEY_get_size(key)) }

        /// The SHA-256 of its SubjectPublicKeyInfo in DER.
        package var fingerprint: [UInt8] {
            var encoded: UnsafeMutablePointer<UInt8>?
            let count = i2d_PUBKEY(key, &encoded)
            guard count > 0, let encoded else {
                CryptographicLibrary.fail("libcrypto writes no public key")
            }
            defer { CRYPTO_free(encoded, #fileID, 0) }
            return SHA256.digest(UnsafeRawBufferPointer(start: encoded, count: Int(count))).bytes
        }

        /// A ciphertext of `count` bytes, another one each time.
        ///
        /// - Parameter secret: short enough for every key that is taken: at most 190 bytes.
        package func encrypt(_ secret: SecretBytes) -> [UInt8] {
            precondition(secret.count <= 190)
            let context = RSAOAEP.context(key)
            defer { EVP_PKEY_CTX_free(context) }
            let ciphertext = [UInt8](unsafeUninitializedCapacity: count) { buffer, count in
                var length = buffer.count
                let isDone = secret.withBytes { secret in
                    EVP_PKEY_encrypt_init(context) == 1 && RSAOAEP.setPadding(context)
                        && EVP_PKEY_encrypt(
                            context, buffer.baseAddress, &length, secret.octets, secret.count) == 1
                }
                count = isDone ? length : 0
            }
            guard ciphertext.count == count else {
                CryptographicLibrary.fail("libcrypto cannot run RSA-OAEP")
            }
            return ciphertext
        }
    }

    /// A private key that decrypts.
    package final class PrivateKey {
        private let key: OpaquePointer

        /// Reads PKCS#8 or PKCS#1 in PEM, not encrypted; nil unless it is one RSA key of such a length.
        package init?(pem: SecretBytes) {
            guard let key = PEMKeys.privateKey(pem) else { return nil }
            self.key = key
            guard RSAOAEP.isTaken(key) else { return nil }
        }

        deinit {
            EVP_PKEY_free(key)
        }

        package var publicKey: PublicKey {
            EVP_PKEY_up_ref(key)
            return PublicKey(key)
        }

        /// The secret; nil where the ciphertext is none of this key.
        package func decrypt(_ ciphertext: [UInt8]) -> SecretBytes? {
            let context = RSAOAEP.context(key)
            defer {
                EVP_PKEY_CTX_free(context)
                ERR_clear_error()
            }
            guard EVP_PKEY_decrypt_init(context) == 1, RSAOAEP.setPadding(context) else {
                CryptographicLibrary.fail("libcrypto cannot run RSA-OAEP")
            }
            var isDone = false
            // libcrypto wants room for a whole modulus.
            let secret = SecretBytes(count: Int(EVP_PKEY_get_size(key))) { target in
                var length = target.count
                isDone =
                    EVP_PKEY_decrypt(
                        context, target.octets, &length, ciphertext, ciphertext.count) == 1
                return isDone ? length : 0
            }
            return isDone ? secret : nil
        }
    }

    // MARK: -

    private static func isTaken(_ key: OpaquePointer) -> Bool {
        EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && bits.contains(Int(EVP_PKEY_get_bits(key)))
    }

    private static func context(_ key: OpaquePointer) -> OpaquePointer {
        guard let context = EVP_PKEY_CTX_new(key, nil) else {
            CryptographicLibrary.fail("libcrypto gives no memory")
        }
        return context
    }

    private static func setPadding(_ context: OpaquePointer) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
    }
}
