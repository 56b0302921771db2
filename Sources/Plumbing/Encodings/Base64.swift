/// Base 64 as the vault writes it: the standard alphabet, padded, no line breaks (RFC 4648 §4).
package enum Base64 {
    /// The text of `bytes`, as ASCII.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { encode($0) }
    }

    package static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.withUnsafeBytes { encode($0) }
    }

    private static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let count = (bytes.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: count) { text, written in
            var place = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let held = min(3, bytes.count - start)
                var group = UInt32(bytes[start]) << 16
                if held > 1 { group |= UInt32(bytes[start + 1]) << 8 }
                if held > 2 { group |= UInt32(bytes[start + 2]) }
                text[place] = letter(group >> 18)
                text[place + 1] = letter(group >> 12 & 63)
                text[place + 2] = held > 1 ? letter(group >> 6 & 63) : pad
                text[place + 3] = held > 2 ? letter(group & 63) : pad
                place += 4
            }
            written = count
        }
    }

    /// The bytes of `text`; nil unless it is what `encode` writes, to the letter.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        return decode(text, into: &bytes) ? bytes : nil
    }

    /// Replaces `bytes` with the bytes of `text`; false unless `text` is what `encode` writes, to the letter.
    ///
    /// `bytes` keeps its capacity, so a loop over many fields takes memory once.
    package static func decode(_ text: [UInt8], into bytes: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        guard text.count.isMultiple(of: 4) else { return false }
        guard let last = text.last else { return true }
        let padding = last != pad ? 0 : text[text.count - 2] != pad ? 1 : 2
        return values.withUnsafeBufferPointer { values in
            text.withUnsafeBufferPointer { text in
                var group: UInt32 = 0
                var position = 0
                let letters = text.count - padding
                while position < letters {
                    let value = values[Int(text[position])]
                    guard value < 64 else { return false }
                    group = group << 6 | UInt32(value)
                    position += 1
                    if position & 3 == 0 {
                        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
                        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
                        bytes.append(UInt8(truncatingIfNeeded: group))
                        group = 0
                    }
                }
                // Bits that belong to no byte must be zero: one byte string has one text.
                switch padding {
                case 1:
                    guard group & 3 == 0 else { return false }
                    bytes.append(UInt8(truncatingIfNeeded: group >> 10))
                    bytes.append(UInt8(truncatingIfNeeded: group >> 2))
                case 2:
                    guard group & 15 == 0 else { return false }
                    bytes.append(UInt8(truncatingIfNeeded: group >> 4))
                default: break
                }
                return true
            }
        }
    }

    private static let pad = UInt8(ascii: "=")
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    private static func letter(_ value: UInt32) -> UInt8 { alphabet[Int(value)] }
}
