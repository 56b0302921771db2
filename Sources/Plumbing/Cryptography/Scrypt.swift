import COpenSSL
package import SecretMemory

/// There is not as much memory as a key derivation takes.
package struct OutOfMemory: Error, Equatable {
    /// In bytes.
    package let wanted: Int

    package init(wanted: Int) {
        self.wanted = wanted
    }
}

/// scrypt (RFC 7914) for 32 bytes of output.
package enum Scrypt {
    /// Derives a key of 32 bytes from `password` with `salt`.
    ///
    /// The caller has checked the parameters against bounds of its own: memory is taken as they say.
    /// - Parameters:
    ///   - logN: the cost N as its power of two.
    ///   - r: the block size; a block has 128 r bytes.
    ///   - p: how many times it is done, one after the other.
    package static func derive(
        _ password: SecretBytes, salt: [UInt8], logN: Int, r: Int, p: Int
    ) throws(OutOfMemory) -> SecretBytes {
        precondition((1...30).contains(logN) && (1...64).contains(r) && (1...64).contains(p))
        let memory = 128 * r * ((1 << logN) + p + 2) + (1 << 20)
        return try SecretBytes(count: 32) { output throws(OutOfMemory) in
            let status = password.withBytes { password in
                EVP_PBE_scrypt(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count,
                    salt, salt.count, 1 << UInt64(logN), UInt64(r), UInt64(p), UInt64(memory),
                    output.octets, 32)
            }
            ERR_clear_error()
            guard status == 1 else { throw OutOfMemory(wanted: memory) }
            return 32
        }
    }
}
