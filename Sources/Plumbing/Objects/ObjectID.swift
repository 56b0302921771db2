package import Cryptography

/// The name of an object: SHA-256 of its envelope, cut to 12 or 32 hex digits.
///
/// Written `obj-cas-imm-` and the digits. A store may hold both widths; an id is checked at its own. Ids sort as
/// their texts do.
package struct ObjectID: Hashable, Comparable, Sendable {
    /// How much of the hash a name holds.
    package enum Width: Sendable {
        /// 48 bits, format 1.
        case hex12
        /// 128 bits, format 2.
        case hex32

        package var digits: Int { self == .hex12 ? 12 : 32 }
    }

    /// The hash's first 16 bytes, most significant first; of a short id all but the first 6 bytes are zero.
    private let high: UInt64
    private let low: UInt64
    package let width: Width

    package static let prefix: StaticString = "obj-cas-imm-"

    /// The name at `width` of an envelope whose digest is known.
    package init(_ digest: SHA256Digest, width: Width) {
        let words = digest.words
        self.width = width
        high = width == .hex12 ? words.0 & ObjectID.shortMask : words.0
        low = width == .hex12 ? 0 : words.1
    }

    /// The name at `width` of the envelope in `bytes`.
    package init(naming bytes: [UInt8], width: Width) {
        self.init(SHA256.digest(bytes), width: width)
    }

    /// Reads an id; nil unless it is exactly of that form, in lower case.
    package init?(_ text: [UInt8]) {
        guard let id = text.withUnsafeBytes({ ObjectID(reading: $0) }) else { return nil }
        self = id
    }

    package init?(_ text: ArraySlice<UInt8>) {
        guard let id = text.withUnsafeBytes({ ObjectID(reading: $0) }) else { return nil }
        self = id
    }

    private init?(reading text: UnsafeRawBufferPointer) {
        let prefixCount = ObjectID.prefix.utf8CodeUnitCount
        switch text.count - prefixCount {
        case 12: width = .hex12
        case 32: width = .hex32
        default: return nil
        }
        for index in 0..<prefixCount where text[index] != ObjectID.prefix.utf8Start[index] {
            return nil
        }
        var words: (UInt64, UInt64) = (0, 0)
        for index in prefixCount..<text.count {
            // Spelled out: a call a digit shows in a walk over many commits.
            let digit = text[index] &- 0x30
            let letter = text[index] &- 0x61
            guard digit < 10 || letter < 6 else { return nil }
            let value = digit < 10 ? digit : letter + 10
            words = (words.0 << 4 | words.1 >> 60, words.1 << 4 | UInt64(value))
        }
        high = width == .hex12 ? words.1 << 16 : words.0
        low = width == .hex12 ? 0 : words.1
    }

    /// The id as ASCII.
    package var bytes: [UInt8] {
        let prefixCount = ObjectID.prefix.utf8CodeUnitCount
        let count = prefixCount + width.digits
        return [UInt8](unsafeUninitializedCapacity: count) { text, written in
            for index in 0..<prefixCount { text[index] = ObjectID.prefix.utf8Start[index] }
            for index in 0..<width.digits {
                let word = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(index & 15))) & 15
                text[prefixCount + index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            written = count
        }
    }

    /// Lends the id as a C string, for a file's name.
    package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var name = bytes
        name.append(0)
        return name.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                // Never empty: the prefix is in it.
                name.baseAddress.map(body) ?? body("")
            }
        }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether this is the name of an envelope with that digest.
    package func names(_ digest: SHA256Digest) -> Bool { self == ObjectID(digest, width: width) }

    /// All of it: who writes a tree or a commit chooses the ids in it, and could choose a common beginning.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    package static func < (one: ObjectID, other: ObjectID) -> Bool {
        if one.high != other.high { return one.high < other.high }
        if one.low != other.low { return one.low < other.low }
        return one.width == .hex12 && other.width == .hex32
    }

    private static let shortMask: UInt64 = 0xFFFF_FFFF_FFFF_0000
}
