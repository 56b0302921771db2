import Encodings
import TestSupport
import Testing

@Suite struct HexTests {
    @Test func writesTwoLowerCaseDigitsAByte() {
        #expect(Hex.encode([0x00, 0x0F, 0xA5, 0xFF]) == Array("000fa5ff".utf8))
    }

    @Test func writesNothingForNothing() {
        #expect(Hex.encode([]).isEmpty)
        #expect(Hex.decode([]) == [])
    }

    @Test func readsBackEveryByteThatItWrites() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    }

    @Test func refusesAnOddCountOfDigits() {
        #expect(Hex.decode(Array("abc".utf8)) == nil)
    }

    @Test func takesTheSixteenLowerCaseDigitsAndNoOtherByte() {
        let digits = (0...255).filter { Hex.value(UInt8($0)) != nil }.map { UInt8($0) }
        #expect(digits == Array("0123456789abcdef".utf8))
        for other in 0...255 where !digits.contains(UInt8(other)) {
            #expect(Hex.decode([0x30, UInt8(other)]) == nil)
            #expect(Hex.decode([UInt8(other), 0x30]) == nil)
        }
    }
}
