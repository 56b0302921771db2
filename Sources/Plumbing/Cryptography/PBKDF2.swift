import COpenSSL
package import SecretMemory

/// PBKDF2-HMAC-SHA-256 (RFC 8018 §5.2) for one block of output: 32 bytes.
///
/// The two padded-key states are computed once, then libcrypto's block function runs twice a round. EVP's own
/// loop re-initialises HMAC every round and takes three times as long (docs/decisions/0006).
package enum PBKDF2 {
    /// Derives a key of 32 bytes from `password` (any length) with `salt` and `rounds` > 0.
    package static func derive(_ password: SecretBytes, salt: [UInt8], rounds: Int) -> SecretBytes {
        precondition(rounds > 0)
        guard copenssl_has_sha256_transform() != 0 else {
            return deriveThroughEVP(password, salt: salt, rounds: rounds)
        }
        return SecretBytes(count: 32) { output in
            password.withBytes { password in
                salt.withUnsafeBytes { salt in
                    deriveByBlocks(password, salt: salt, rounds: rounds, into: output)
                }
            }
            return 32
        }
    }

    /// The same by libcrypto's own loop: the oracle of the tests, and the way where the block function is missing.
    package static func deriveThroughEVP(
        _ password: SecretBytes, salt: [UInt8], rounds: Int
    ) -> SecretBytes {
        SecretBytes(count: 32) { output in
            let status = password.withBytes { password in
                PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(password.count),
                    salt, Int32(salt.count), Int32(rounds), EVP_sha256(), 32,
                    output.octets)
            }
            guard status == 1 else { CryptographicLibrary.fail("libcrypto cannot run PBKDF2") }
            return 32
        }
    }

    private static func deriveByBlocks(
        _ password: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer, rounds: Int,
        into output: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(of: SHA256_CTX.self, capacity: 3) { contexts in
            guard let inner = contexts.baseAddress else { return }
            let outer = inner + 1
            let state = inner + 2
            // One block: 32 bytes of digest, then the padding of a message of 64 + 32 bytes.
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { block in
                HMAC.absorbKey(password, inner: inner, outer: outer)
                block.initialize(repeating: 0)
                block[8] = UInt32(0x8000_0000).bigEndian
                block[15] = UInt32((64 + 32) * 8).bigEndian

                // The first round: salt and the block's number, 1, in 32 bits.
                state.initialize(to: inner.pointee)
                SHA256_Update(state, salt.baseAddress, salt.count)
                withUnsafeBytes(of: UInt32(1).bigEndian) { number in
                    _ = SHA256_Update(state, number.baseAddress, 4)
                }
                SHA256_Final(UnsafeMutableRawBufferPointer(block).octets, state)
                hashBlock(block, from: outer, in: state)

                let sum = output.assumingMemoryBound(to: UInt32.self)
                for index in 0..<8 { sum[index] = block[index] }
                for _ in 1..<rounds {
                    hashBlock(block, from: inner, in: state)
                    hashBlock(block, from: outer, in: state)
                    for index in 0..<8 { sum[index] ^= block[index] }
                }
                OPENSSL_cleanse(block.baseAddress, 64)
            }
            OPENSSL_cleanse(contexts.baseAddress, 3 * MemoryLayout<SHA256_CTX>.stride)
        }
    }

    /// Hashes `block` on top of the state in `start` and leaves the digest in the block's first 32 bytes.
    @inline(__always)
    private static func hashBlock(
        _ block: UnsafeMutableBufferPointer<UInt32>, from start: UnsafeMutablePointer<SHA256_CTX>,
        in state: UnsafeMutablePointer<SHA256_CTX>
    ) {
        state.pointee.h = start.pointee.h
        SHA256_Transform(state, UnsafeRawBufferPointer(block).octets)
        let digest = state.pointee.h
        block[0] = digest.0.bigEndian
        block[1] = digest.1.bigEndian
        block[2] = digest.2.bigEndian
        block[3] = digest.3.bigEndian
        block[4] = digest.4.bigEndian
        block[5] = digest.5.bigEndian
        block[6] = digest.6.bigEndian
        block[7] = digest.7.bigEndian
    }
}
