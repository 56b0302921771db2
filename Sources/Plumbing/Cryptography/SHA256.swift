import COpenSSL

/// A SHA-256 digest (FIPS 180-4): 32 bytes, held without a heap allocation.
package struct SHA256Digest: Equatable, Hashable {
    /// The bytes in order, eight to a word, most significant first.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    package static func == (one: SHA256Digest, other: SHA256Digest) -> Bool {
        one.words == other.words
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// SHA-256 over bytes that come in pieces.
///
/// Goes through libcrypto's `SHA256_*` calls: EVP would start a provider, 0.6 ms a process
/// (docs/decisions/0006).
package struct SHA256: ~Copyable {
    private var context = SHA256_CTX()

    package init() {
        SHA256_Init(&context)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    package consuming func finish() -> SHA256Digest {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
            SHA256_Final(digest.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
            return SHA256Digest(UnsafeRawBufferPointer(digest))
        }
    }

    /// The digest of bytes in one piece.
    package static func digest(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        bytes.withUnsafeBytes { digest($0) }
    }

    package static func digest(_ bytes: ArraySlice<UInt8>) -> SHA256Digest {
        bytes.withUnsafeBytes { digest($0) }
    }
}
