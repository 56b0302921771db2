import COpenSSL
package import SecretMemory

// ECDH over P-256 (NIST SP 800-56A): the shared secret is the x coordinate. A key that signs is never one that agrees.

extension P256 {
    /// A point as it is written: 04 ‖ x(32) ‖ y(32), big-endian.
    package static let pointCount = 65

    /// What stands before the point in the SubjectPublicKeyInfo of every P-256 key (RFC 5480), in DER.
    fileprivate static let heading: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
        0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
}

extension P256.PublicKey {
    /// Takes an uncompressed point; nil unless it is one on the curve.
    package convenience init?(point: [UInt8]) {
        guard point.count == P256.pointCount, point[0] == 0x04 else { return nil }
        defer { ERR_clear_error() }
        let encoded = P256.heading + point
        let parsed = encoded.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key = parsed else { return nil }
        self.init(key)
    }

    /// The point, uncompressed, however the key was written.
    package var point: [UInt8] {
        var point = [UInt8](repeating: 0x04, count: P256.pointCount)
        for (name, place) in [("qx", 1), ("qy", 33)] {
            var coordinate: OpaquePointer?
            let got = EVP_PKEY_get_bn_param(key, name, &coordinate)
            let count = point.withUnsafeMutableBufferPointer { bytes in
                BN_bn2binpad(coordinate, bytes.baseAddress.map { $0 + place }, 32)
            }
            BN_free(coordinate)
            guard got == 1, count == 32 else {
                CryptographicLibrary.fail("libcrypto gives no coordinates")
            }
        }
        return point
    }

    /// The SHA-256 of its SubjectPublicKeyInfo in DER, with the point uncompressed.
    package var fingerprint: [UInt8] { SHA256.digest(P256.heading + point).bytes }
}

extension P256.PrivateKey {
    /// The x coordinate that both sides get: 32 bytes; nil where libcrypto refuses the other's key.
    package func agree(with other: P256.PublicKey) -> SecretBytes? {
        guard let context = EVP_PKEY_CTX_new(key, nil) else {
            CryptographicLibrary.fail("libcrypto gives no memory")
        }
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_PKEY_derive_init(context) == 1,
            EVP_PKEY_derive_set_peer(context, other.key) == 1
        else { return nil }
        var count = 32
        let shared = SecretBytes(count: 32) { target in
            EVP_PKEY_derive(context, target.octets, &count) == 1 ? count : 0
        }
        return shared.count == 32 ? shared : nil
    }
}
