import Encodings
import TestSupport
import Testing

@Suite struct Base64Tests {
    // RFC 4648 §10.
    static let published = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: published) func writesThePublishedTexts(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == Array(text.utf8))
    }

    @Test(arguments: published) func readsThePublishedTexts(plain: String, text: String) {
        #expect(Base64.decode(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test func usesThePlusAndTheSlash() {
        #expect(Base64.encode([0xFB, 0xEF, 0xFF]) == Array("++//".utf8))
        #expect(Base64.decode(Array("++//".utf8)) == [0xFB, 0xEF, 0xFF])
    }

    @Test func readsBackWhatItWrites() {
        var numbers = SeededNumbers()
        for count in 0..<100 {
            let bytes = numbers.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes, "seed \(numbers.seed)")
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zm8", "Zm9v=", "=", "==", "===", "====", "Z===", "Zg==Zg==", "Zm=v",
        "=Zg=", "Zg=a", "Zg== ", " Zg==", "Zg==\n", "Zm9v\nZm9v", "Zm9\u{0}", "Zm-_", "Zm9\u{E9}",
        "Zm9v====",
    ])
    func refusesWhatItDoesNotWrite(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: ["Zh==", "Zi==", "Zo==", "Zm9=", "Zm+=", "Zm//Zm9="])
    func refusesBitsThatBelongToNoByte(text: String) {
        #expect(Base64.decode(Array(text.utf8)) == nil)
    }

    @Test func readsExactlyTheTextsThatItWrites() {
        var numbers = SeededNumbers()
        let letters = Array("ABQgwz019+/=".utf8)
        for _ in 0..<20_000 {
            let text = (0..<4 * (1 + numbers.below(2))).map { _ in
                letters[numbers.below(letters.count)]
            }
            guard let bytes = Base64.decode(text) else { continue }
            #expect(Base64.encode(bytes) == text, "seed \(numbers.seed)")
        }
    }

    @Test func replacesWhatTheBufferHeld() {
        var buffer: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(Base64.decode(Array("Zm8=".utf8), into: &buffer))
        #expect(buffer == Array("fo".utf8))
    }
}
