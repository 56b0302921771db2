import COpenSSL

package enum ConstantTime {
    /// Whether two codes are equal, in a time that does not tell where they differ.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
