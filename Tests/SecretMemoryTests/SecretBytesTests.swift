import SecretMemory
import TestSupport
import Testing

@Suite struct SecretBytesTests {
    private let secret = TestKeys.secret("hunter2")

    @Test func holdsWhatItWasGiven() {
        #expect(TestKeys.bytes(secret) == Array("hunter2".utf8))
        #expect(secret.count == 7)
    }

    @Test func startsWithZeros() {
        let secret = SecretBytes(count: 5000) { target in
            #expect(target.count == 5000 && target.allSatisfy { $0 == 0 })
            return target.count
        }
        #expect(TestKeys.bytes(secret) == [UInt8](repeating: 0, count: 5000))
    }

    @Test func countsWhatWasFilled() {
        let secret = SecretBytes(count: 100) { target in
            target.copyBytes(from: [1, 2, 3])
            return 3
        }
        #expect(TestKeys.bytes(secret) == [1, 2, 3])
    }

    @Test func holdsNothing() {
        #expect(TestKeys.bytes(TestKeys.secret("")).isEmpty)
    }

    @Test func passesOnTheErrorOfItsFill() {
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try SecretBytes(count: 1) { _ throws(Refused) in throw Refused() }
        }
    }

    @Test func copiesARangeThatLivesOnItsOwn() {
        let part = TestKeys.secret("abcdefgh").copy(2..<5)
        #expect(TestKeys.bytes(part) == Array("cde".utf8))
    }

    @Test func printsAsASecret() {
        #expect(secret.description == "<secret>")
        #expect("\(secret)" == "<secret>")
        #expect(String(describing: secret) == "<secret>")
    }

    @Test func dumpsAndReflectsAsASecret() {
        var dumped = ""
        dump(secret, to: &dumped)
        for text in [
            dumped, String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)",
        ] {
            #expect(text.contains("<secret>"))
            #expect(!text.contains("hunter2") && !text.contains("104") && !text.contains("storage"))
        }
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }
}
