/// Base 32 in Crockford's alphabet: no I, L, O or U, so that what is read aloud or off paper is not mistaken.
package enum Crockford32 {
    /// The upper-case digit of a value in 0 … 31.
    package static func digit(_ value: UInt8) -> UInt8 {
        let digits: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        return digits.utf8Start[Int(value & 31)]
    }

    /// The value of a character, of either case; I and L are read as 1, O as 0; nil for any other byte.
    package static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: return character - 0x30
        case 0x61...0x7A: return value(character - 0x20)
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "O"): return 0
        default: return (10..<32).first { digit($0) == character }
        }
    }

    /// Writes the values of `bytes`, five bits each, the highest first; the last one is filled up with zero bits.
    ///
    /// - Parameter values: room for every five bits that are begun.
    package static func split(
        _ bytes: UnsafeRawBufferPointer, into values: UnsafeMutableRawBufferPointer
    ) {
        for index in 0..<values.count {
            values[index] = 0
            for bit in 5 * index..<5 * index + 5 {
                let isSet = bit / 8 < bytes.count && bytes[bit / 8] >> (7 - bit % 8) & 1 == 1
                values[index] = values[index] << 1 | (isSet ? 1 : 0)
            }
        }
    }

    /// Writes the bytes that `values` stand for, five bits each; bits past the last byte are left out.
    package static func join(
        _ values: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) {
        for index in 0..<bytes.count {
            bytes[index] = 0
            for bit in 8 * index..<8 * index + 8 {
                bytes[index] = bytes[index] << 1 | values[bit / 5] >> (4 - bit % 5) & 1
            }
        }
    }
}
