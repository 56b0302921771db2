import Cryptography
import SecretMemory
import TestSupport
import Testing

@Suite struct RandomBytesTests {
    /// Bytes that a test has chosen, given out in their order.
    private final class Source {
        let bytes: [UInt8]
        private(set) var taken = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var random: RandomBytes {
            RandomBytes { target in
                for index in target.indices {
                    target[index] = self.taken < self.bytes.count ? self.bytes[self.taken] : 0
                    self.taken += 1
                }
            }
        }
    }

    // MARK: - Bytes

    @Test func givesTheBytesOfItsSource() {
        let source = Source([7, 8, 9, 10])
        #expect(source.random.bytes(3) == [7, 8, 9])
        #expect(source.random.bytes(0).isEmpty)
        #expect(source.random.bytes(1) == [10])
    }

    @Test(arguments: [0, 1, 255, 256, 257, 512, 513, 10_000])
    func givesAsManyBytesAsAreAskedFor(count: Int) {
        #expect(RandomBytes.system.bytes(count).count == count)
    }

    @Test(arguments: [1, 255, 256, 257, 600, 1025])
    func fillsEveryByteHoweverManyTheKernelGivesAtOnce(count: Int) {
        // That a byte is zero forty times has a chance of 2^-320.
        var seen = [UInt8](repeating: 0, count: count)
        for _ in 0..<40 {
            var bytes = [UInt8](repeating: 0, count: count)
            bytes.withUnsafeMutableBytes { RandomBytes.system.write(into: $0) }
            for index in bytes.indices { seen[index] |= bytes[index] }
        }
        #expect(!seen.contains(0))
    }

    @Test func givesOtherBytesEachTime() {
        #expect(RandomBytes.system.bytes(32) != RandomBytes.system.bytes(32))
    }

    // MARK: - Secrets

    @Test func throwsAwayABytePastTheLastWholeMultiple() {
        // Of three characters 255 is the first byte too many.
        let source = Source([255, 0, 255, 255, 1, 254])
        #expect(TestKeys.bytes(source.random.secret(3, of: "abc")) == Array("abc".utf8))
        #expect(source.taken == 6)
    }

    @Test func givesEveryCharacterOfAnAlphabetAlikeOften() {
        // 36 characters go seven times into 256; the last four bytes are thrown away.
        let source = Source(Array(0...255) + [0])
        let secret = source.random.secret(253, of: "abcdefghijklmnopqrstuvwxyz0123456789")
        var counts: [UInt8: Int] = [:]
        for character in TestKeys.bytes(secret) { counts[character, default: 0] += 1 }
        #expect(source.taken == 257)
        #expect(counts.removeValue(forKey: UInt8(ascii: "a")) == 8)
        #expect(counts.count == 35 && counts.values.allSatisfy { $0 == 7 })
    }

    @Test func throwsNothingAwayWhereTheAlphabetGoesIntoAByte() {
        let source = Source(Array(0...255))
        let secret = TestKeys.bytes(source.random.secret(256, of: "0123456789abcdef"))
        #expect(source.taken == 256)
        #expect(secret.prefix(18) == Array("0123456789abcdef01".utf8)[...])
    }

    @Test func givesALongSecretOfItsAlphabet() {
        let secret = TestKeys.bytes(RandomBytes.system.secret(5000, of: "xyz"))
        #expect(secret.count == 5000)
        #expect(Set(secret) == Set("xyz".utf8))
    }

    @Test func givesAnEmptySecret() {
        let source = Source([])
        #expect(source.random.secret(0, of: "abc").count == 0)
    }
}
