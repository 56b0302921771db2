import Encodings
import TestSupport
import Testing

@Suite struct Crockford32Tests {
    private static func split(_ bytes: [UInt8], count: Int) -> [UInt8] {
        var values = [UInt8](repeating: 0xAA, count: count)
        bytes.withUnsafeBytes { bytes in
            values.withUnsafeMutableBytes { Crockford32.split(bytes, into: $0) }
        }
        return values
    }

    private static func join(_ values: [UInt8], count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: count)
        values.withUnsafeBytes { values in
            bytes.withUnsafeMutableBytes { Crockford32.join(values, into: $0) }
        }
        return bytes
    }

    @Test func everyDigitHasItsValueInBothCases() {
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        for (value, digit) in digits.enumerated() {
            #expect(Crockford32.digit(UInt8(value)) == digit)
            #expect(Crockford32.value(digit) == UInt8(value))
            let lower = digit.isUppercase ? digit + 0x20 : digit
            #expect(Crockford32.value(lower) == UInt8(value))
        }
    }

    @Test func likenessesAreRead() {
        for character in "ILil".utf8 { #expect(Crockford32.value(character) == 1) }
        for character in "Oo".utf8 { #expect(Crockford32.value(character) == 0) }
    }

    @Test func nothingElseIsADigit() {
        let count = (0...255).filter { Crockford32.value(UInt8($0)) != nil }.count
        // Ten digits, and all letters but U in both cases.
        #expect(count == 10 + 25 * 2)
        #expect(Crockford32.value(UInt8(ascii: "U")) == nil)
        #expect(Crockford32.value(UInt8(ascii: "u")) == nil)
    }

    @Test func theLastValueIsFilledWithZeroBits() {
        #expect(Self.split([0xFF], count: 2) == [31, 28])
        #expect(Self.split([0x00, 0xFF], count: 4) == [0, 3, 31, 16])
    }

    @Test func whatIsSplitJoins() {
        var numbers = SeededNumbers()
        for count in 1...40 {
            let bytes = numbers.bytes(count)
            let values = Self.split(bytes, count: (8 * count + 4) / 5)
            #expect(values.allSatisfy { $0 < 32 })
            #expect(Self.join(values, count: count) == bytes, "seed \(numbers.seed)")
        }
    }
}
