import Encodings
import TestSupport
import Testing

@Suite struct UTF8TextTests {
    @Test func takesTheFirstAndLastCharacterOfEachLength() {
        for scalar in [
            "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}",
            "\u{10FFFF}",
        ] {
            #expect(UTF8Text.isValid(Array(scalar.utf8)))
        }
        #expect(UTF8Text.isValid([UInt8]()))
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
            [0xE0, 0x9F, 0xBF], [0xE0, 0xA0], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x90, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
            [0xFF],
            [0x41, 0xE2, 0x82], [0xE2, 0x82, 0x41], [0xF1, 0x80, 0x80, 0x41],
        ] as [[UInt8]])
    func refusesIllFormedBytes(bytes: [UInt8]) {
        #expect(!UTF8Text.isValid(bytes))
        #expect(!UTF8Text.isValid(Array("before".utf8) + bytes + Array("after".utf8)))
    }

    @Test func agreesWithTheStandardLibraryOnAllTwoBytes() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [first, second]
                if UTF8Text.isValid(bytes) != (String(validating: bytes, as: UTF8.self) != nil) {
                    Issue.record("\(bytes)")
                }
            }
        }
    }

    @Test func agreesWithTheStandardLibraryOnRandomBytes() {
        var numbers = SeededNumbers()
        // Bytes near the borders of table 3-7, so that well-formed texts come up often.
        let borders: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
            0xED,
            0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5,
        ]
        var valid = 0
        for _ in 0..<50_000 {
            let bytes = (0..<1 + numbers.below(5)).map { _ in borders[numbers.below(borders.count)]
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            if expected { valid += 1 }
            if UTF8Text.isValid(bytes) != expected {
                Issue.record("\(bytes), seed \(numbers.seed)")
            }
        }
        #expect(valid > 100)
    }
}
