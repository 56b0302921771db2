import COpenSSL
package import SecretMemory

/// HKDF-SHA-256 (RFC 5869).
package enum HKDF {
    /// Derives 32 bytes, one block of output, from `key`.
    ///
    /// - Parameter salt: an empty one and 32 zero bytes are the same to HMAC.
    package static func derive(
        from key: SecretBytes, salt: [UInt8] = [], info: [UInt8]
    ) -> SecretBytes {
        SecretBytes(count: 32) { output in
            withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { extracted in
                key.withBytes { key in
                    salt.withUnsafeBytes { HMAC.code(of: [key], key: $0, into: extracted) }
                }
                info.withUnsafeBytes { info in
                    withUnsafeBytes(of: UInt8(1)) { counter in
                        HMAC.code(
                            of: [info, counter], key: UnsafeRawBufferPointer(extracted),
                            into: output)
                    }
                }
                OPENSSL_cleanse(extracted.baseAddress, 32)
            }
            return 32
        }
    }

    /// The same with an empty salt.
    package static func derive(from key: SecretBytes, info: StaticString) -> SecretBytes {
        derive(
            from: key,
            info: Array(
                UnsafeBufferPointer(start: info.utf8Start, count: info.utf8CodeUnitCount)))
    }
}
