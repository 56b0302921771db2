package import Cryptography
package import SecretMemory

/// A password that nobody chose: 23 letters and digits without those that look alike, 133 bits.
package enum NewPassword {
    private static let alphabet: StaticString =
        "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"
    private static let count = 23

    /// - Returns: one with an upper-case letter, a lower-case one and a digit, which many sites ask for.
    package static func make(random: RandomBytes) -> SecretBytes {
        while true {
            let password = random.secret(count, of: alphabet)
            let hasAll = password.withBytes { bytes in
                bytes.contains { (0x41...0x5A).contains($0) }
                    && bytes.contains { (0x61...0x7A).contains($0) }
                    && bytes.contains { (0x30...0x39).contains($0) }
            }
            if hasAll { return password }
        }
    }
}
