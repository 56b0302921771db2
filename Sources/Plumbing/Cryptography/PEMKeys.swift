import COpenSSL
import SecretMemory

/// Keys in PEM as libcrypto holds them.
///
/// Without a callback of its own libcrypto would ask the terminal, or standard input, for the passphrase of a PEM that
/// claims to be encrypted; the ones here give none.
enum PEMKeys {
    /// Reads a SubjectPublicKeyInfo; nil unless it is one.
    static func publicKey(_ pem: [UInt8]) -> OpaquePointer? {
        defer { ERR_clear_error() }
        guard pem.count < 65_536, pem.starts(with: "-----BEGIN PUBLIC KEY-----".utf8) else {
            return nil
        }
        return pem.withUnsafeBytes { pem in
            read(pem) { PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in -1 }, nil) }
        }
    }

    /// Reads PKCS#8, PKCS#1 or SEC 1, not encrypted; nil unless it is a private key.
    static func privateKey(_ pem: SecretBytes) -> OpaquePointer? {
        defer { ERR_clear_error() }
        return pem.withBytes { pem in
            read(pem) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
        }
    }

    private static func read(
        _ pem: UnsafeRawBufferPointer, _ body: (OpaquePointer) -> OpaquePointer?
    ) -> OpaquePointer? {
        guard let length = Int32(exactly: pem.count),
            let source = BIO_new_mem_buf(pem.baseAddress, length)
        else { return nil }
        defer { BIO_free(source) }
        return body(source)
    }
}
