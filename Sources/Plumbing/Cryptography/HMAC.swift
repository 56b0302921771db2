import COpenSSL
package import SecretMemory

/// HMAC-SHA-256 (RFC 2104) under a key that stays in `SecretBytes`.
package enum HMAC {
    /// The 32 bytes of the code of `message`.
    package static func authenticate(_ message: UnsafeRawBufferPointer, key: SecretBytes) -> [UInt8]
    {
        [UInt8](unsafeUninitializedCapacity: 32) { output, count in
            key.withBytes {
                code(of: [message], key: $0, into: UnsafeMutableRawBufferPointer(output))
            }
            count = 32
        }
    }

    package static func authenticate(_ message: [UInt8], key: SecretBytes) -> [UInt8] {
        message.withUnsafeBytes { authenticate($0, key: key) }
    }

    /// Writes the code of the joined `parts` to the first 32 bytes of `output`.
    static func code(
        of parts: [UnsafeRawBufferPointer], key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(of: SHA256_CTX.self, capacity: 2) { states in
            guard let inner = states.baseAddress else { return }
            let outer = inner + 1
            absorbKey(key, inner: inner, outer: outer)
            for part in parts { SHA256_Update(inner, part.baseAddress, part.count) }
            SHA256_Final(output.octets, inner)
            SHA256_Update(outer, output.baseAddress, 32)
            SHA256_Final(output.octets, outer)
            OPENSSL_cleanse(states.baseAddress, states.count * MemoryLayout<SHA256_CTX>.stride)
        }
    }

    /// Starts the two hashes with the padded key: one block of 64 bytes each.
    static func absorbKey(
        _ key: UnsafeRawBufferPointer, inner: UnsafeMutablePointer<SHA256_CTX>,
        outer: UnsafeMutablePointer<SHA256_CTX>
    ) {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count > 64 {
                SHA256_Init(inner)
                SHA256_Update(inner, key.baseAddress, key.count)
                SHA256_Final(block.octets, inner)
            } else {
                block.copyMemory(from: key)
            }
            for index in 0..<64 { block[index] ^= 0x36 }
            SHA256_Init(inner)
            SHA256_Update(inner, block.baseAddress, 64)
            for index in 0..<64 { block[index] ^= 0x36 ^ 0x5C }
            SHA256_Init(outer)
            SHA256_Update(outer, block.baseAddress, 64)
            OPENSSL_cleanse(block.baseAddress, 64)
        }
    }
}
