import Encodings
package import SecretMemory

/// Why a text is no key.
package enum KeyStringError: Error, Equatable {
    /// Neither `passphrase:vault id` nor 64 lower-case hex digits, `:`, vault id.
    case malformed
    /// A prefix says read key, and what follows is none.
    case notAReadKey
    /// What follows the colon is not 4 to 24 of `[a-z0-9]`.
    case badVaultID
}

/// A key as it is written down; it stays in `SecretBytes` while it is taken apart.
///
///     vault key   = [prefix] passphrase ":" vault-id
///     read key    = [prefix] 64 lower-case hex digits ":" vault-id
///
/// - Source: docs/vault-format.md, "Key strings".
package enum KeyString {
    case vaultKey(VaultKey)
    case readKey(ReadKey)

    package var vaultID: VaultID {
        switch self {
        case .vaultKey(let key): key.vaultID
        case .readKey(let key): key.vaultID
        }
    }

    /// What a prefix declares.
    ///
    /// It only labels: what follows it is the key, byte for byte.
    package enum Declared {
        case vaultKey, readKey, nothing
    }

    private static let prefixes: [(text: StaticString, declares: Declared)] = [
        ("sgit_private_vault_", .vaultKey), ("sgit_vk1_", .vaultKey),
        ("sgit_private_read_", .readKey), ("sgit_public_read_", .readKey), ("sgit_rk1_", .readKey),
    ]

    /// Reads a key of either kind: what `clone` does with its argument.
    ///
    /// White space at both ends is taken off, then at most one prefix. 64 hex digits before the first colon make
    /// a read key unless the prefix says vault key.
    package static func parse(_ text: SecretBytes) throws(KeyStringError) -> KeyString {
        let (declared, body) = text.withBytes { split($0) }
        if declared != .vaultKey, let colon = firstColon(text, body), colon - body.lowerBound == 64,
            let secret = decodeHex(text, body.lowerBound..<colon)
        {
            // A tail with a second colon is no read key to sgit; without a prefix it is a passphrase.
            let tail = bytes(text, colon + 1..<body.upperBound)
            if let vaultID = VaultID(tail) {
                return .readKey(ReadKey(secret: secret, vaultID: vaultID))
            }
            if declared == .nothing, !tail.allSatisfy(\.isWordCharacter) {
                return try .vaultKey(parseVaultKey(text))
            }
            throw .badVaultID
        }
        guard declared != .readKey else { throw .notAReadKey }
        return try .vaultKey(parseVaultKey(text))
    }

    /// Reads a vault key, whatever its prefix declares.
    package static func parseVaultKey(_ text: SecretBytes) throws(KeyStringError) -> VaultKey {
        let (_, body) = text.withBytes { split($0) }
        guard
            let colon = text.withBytes({ bytes in bytes[body].lastIndex(of: UInt8(ascii: ":")) }),
            colon > body.lowerBound, colon + 1 < body.upperBound
        else { throw .malformed }
        guard UTF8Text.isValid(bytes(text, colon + 1..<body.upperBound)),
            let vaultID = VaultID(bytes(text, colon + 1..<body.upperBound))
        else { throw .badVaultID }
        guard text.withBytes({ UTF8Text.isValid(UnsafeRawBufferPointer(rebasing: $0[body])) })
        else {
            throw .malformed
        }
        return VaultKey(passphrase: text.copy(body.lowerBound..<colon), vaultID: vaultID)
    }

    /// What the prefix declares, and where the key lies once white space and prefix are off.
    package static func split(_ text: UnsafeRawBufferPointer) -> (
        declared: Declared, body: Range<Int>
    ) {
        var start = 0
        var end = text.count
        while start < end, let length = whiteSpace(text, at: start, before: end) { start += length }
        while end > start, let length = whiteSpace(text, endingAt: end, after: start) {
            end -= length
        }
        for prefix in prefixes {
            let count = prefix.text.utf8CodeUnitCount
            if end - start >= count, text[start..<start + count].isEqual(to: prefix.text) {
                return (prefix.declares, start + count..<end)
            }
        }
        return (.nothing, start..<end)
    }

    // MARK: -

    private static func firstColon(_ text: SecretBytes, _ body: Range<Int>) -> Int? {
        text.withBytes { $0[body].firstIndex(of: UInt8(ascii: ":")) }
    }

    /// The bytes of a part that is no secret: what stands after a colon.
    private static func bytes(_ text: SecretBytes, _ range: Range<Int>) -> [UInt8] {
        text.withBytes { Array($0[range]) }
    }

    private static func decodeHex(_ text: SecretBytes, _ range: Range<Int>) -> SecretBytes? {
        var isHex = true
        let secret = SecretBytes(count: range.count / 2) { target in
            text.withBytes { text in
                for index in 0..<target.count {
                    guard let high = Hex.value(text[range.lowerBound + 2 * index]),
                        let low = Hex.value(text[range.lowerBound + 2 * index + 1])
                    else {
                        isHex = false
                        return
                    }
                    target[index] = high << 4 | low
                }
            }
            return target.count
        }
        return isHex ? secret : nil
    }

    /// White space as Python's `str.strip` knows it, since that is what sgit takes off.
    private static func isWhiteSpace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
            0x205F,
            0x3000:
            true
        default: false
        }
    }

    /// The length in bytes of the white space that starts at `start`; nil where there is none.
    private static func whiteSpace(
        _ text: UnsafeRawBufferPointer, at start: Int, before end: Int
    ) -> Int? {
        let lead = text[start]
        let length: Int
        switch lead {
        case ..<0x80: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE1...0xEF: length = 3
        // White space lies below U+10000, and none of it where E0 leads.
        default: return nil
        }
        guard start + length <= end else { return nil }
        var scalar = length == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(length))
        for byte in text[start + 1..<start + length] {
            guard byte & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return isWhiteSpace(scalar) ? length : nil
    }

    private static func whiteSpace(
        _ text: UnsafeRawBufferPointer, endingAt end: Int, after start: Int
    ) -> Int? {
        var lead = end - 1
        while lead > start, text[lead] & 0xC0 == 0x80, end - lead < 4 { lead -= 1 }
        return whiteSpace(text, at: lead, before: end) == end - lead ? end - lead : nil
    }
}
