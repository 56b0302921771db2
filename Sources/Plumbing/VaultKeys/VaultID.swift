import Encodings

/// The name of a vault inside its keys: 4 to 24 of `[a-z0-9]`, held as ASCII.
package struct VaultID: Equatable {
    package let bytes: [UInt8]

    /// Nil unless the bytes have that form; nothing is lower-cased.
    package init?(_ bytes: some Collection<UInt8>) {
        guard (4...24).contains(bytes.count),
            bytes.allSatisfy({ $0.isDigit || $0.isLowercase })
        else { return nil }
        self.bytes = Array(bytes)
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
