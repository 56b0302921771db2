import Cryptography
import Encodings
import SecretMemory
import TestSupport
import Testing

@Suite struct AEADTests {
    private struct Sealed {
        var nonce: [UInt8]
        var ciphertext: [UInt8]
        var tag: [UInt8]
    }

    private static func seal(_ aead: AEAD, _ plaintext: [UInt8], nonce: [UInt8]) -> Sealed {
        var bytes = plaintext
        var tag = [UInt8](repeating: 0, count: 16)
        bytes.withUnsafeMutableBytes { bytes in
            nonce.withUnsafeBytes { nonce in
                tag.withUnsafeMutableBytes { aead.seal(bytes, nonce: nonce, tag: $0) }
            }
        }
        return Sealed(nonce: nonce, ciphertext: bytes, tag: tag)
    }

    /// Whether the tag fits, and what the bytes became.
    private static func open(_ aead: AEAD, _ sealed: Sealed) -> (fits: Bool, bytes: [UInt8]) {
        var bytes = sealed.ciphertext
        let fits = bytes.withUnsafeMutableBytes { bytes in
            sealed.nonce.withUnsafeBytes { nonce in
                sealed.tag.withUnsafeBytes { aead.open(bytes, nonce: nonce, tag: $0) }
            }
        }
        return (fits, bytes)
    }

    private static func bytes(_ digits: String) throws -> [UInt8] {
        try #require(Hex.decode(Array(digits.utf8)))
    }

    private struct Published {
        let key, nonce, plaintext, ciphertext, tag: String
    }

    // Test cases 13 to 15 of McGrew and Viega's "The Galois/Counter Mode of Operation", NIST's own source.
    private static let published = [
        Published(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            plaintext: "",
            ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Published(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            plaintext: String(repeating: "00", count: 16),
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Published(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            plaintext: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
            ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
    ]

    @Test(arguments: 0..<3) func sealsAsPublished(number: Int) throws {
        let row = Self.published[number]
        let aead = AEAD(key: TestKeys.secret(try Self.bytes(row.key)))
        let sealed = Self.seal(
            aead, try Self.bytes(row.plaintext), nonce: try Self.bytes(row.nonce))
        #expect(sealed.ciphertext == (try Self.bytes(row.ciphertext)))
        #expect(sealed.tag == (try Self.bytes(row.tag)))
    }

    @Test(arguments: 0..<3) func opensWhatIsPublished(number: Int) throws {
        let row = Self.published[number]
        let aead = AEAD(key: TestKeys.secret(try Self.bytes(row.key)))
        let opened = Self.open(
            aead,
            Sealed(
                nonce: try Self.bytes(row.nonce), ciphertext: try Self.bytes(row.ciphertext),
                tag: try Self.bytes(row.tag)))
        #expect(opened.fits)
        #expect(opened.bytes == (try Self.bytes(row.plaintext)))
    }

    private let aead = AEAD(key: TestKeys.secret(Array(0..<32)))

    @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 33, 1000, 100_000])
    func opensInPlaceWhatItSealsInPlace(count: Int) {
        var numbers = SeededNumbers()
        let plaintext = numbers.bytes(count)
        let opened = Self.open(aead, Self.seal(aead, plaintext, nonce: anyNonce))
        #expect(opened.fits && opened.bytes == plaintext, "seed \(numbers.seed)")
    }

    @Test func refusesEveryFlippedBit() {
        let sealed = Self.seal(aead, Array("attack at dawn, and at dusk".utf8), nonce: anyNonce)
        for bit in 0..<8 * 12 {
            var broken = sealed
            broken.nonce[bit / 8] ^= 1 << (bit % 8)
            #expect(!Self.open(aead, broken).fits, "bit \(bit) of the nonce")
        }
        for bit in 0..<8 * sealed.ciphertext.count {
            var broken = sealed
            broken.ciphertext[bit / 8] ^= 1 << (bit % 8)
            #expect(!Self.open(aead, broken).fits, "bit \(bit) of the ciphertext")
        }
        for bit in 0..<8 * 16 {
            var broken = sealed
            broken.tag[bit / 8] ^= 1 << (bit % 8)
            #expect(!Self.open(aead, broken).fits, "bit \(bit) of the tag")
        }
    }

    @Test func refusesAnotherKey() {
        let sealed = Self.seal(aead, [1, 2, 3], nonce: anyNonce)
        #expect(!Self.open(AEAD(key: TestKeys.secret(Array(1..<33))), sealed).fits)
    }

    @Test func bringsTheCiphertextBackWithASecondOpen() {
        var sealed = Self.seal(aead, Array("attack at dawn, and at dusk".utf8), nonce: anyNonce)
        let ciphertext = sealed.ciphertext
        sealed.tag[0] ^= 1
        let first = Self.open(aead, sealed)
        #expect(!first.fits && first.bytes != ciphertext)
        sealed.ciphertext = first.bytes
        #expect(Self.open(aead, sealed).bytes == ciphertext)
    }

    @Test func opensAfterARefusalAsBefore() {
        let sealed = Self.seal(aead, [1, 2, 3], nonce: anyNonce)
        var broken = sealed
        broken.tag[15] ^= 0x80
        #expect(!Self.open(aead, broken).fits)
        #expect(Self.open(aead, sealed).fits)
    }

    @Test func opensAndSealsInAnyOrder() {
        let one = Self.seal(aead, [1], nonce: anyNonce)
        let other = Self.seal(aead, [2, 3], nonce: Array(anyNonce.reversed()))
        #expect(Self.open(aead, other).bytes == [2, 3])
        #expect(Self.seal(aead, [1], nonce: anyNonce).tag == one.tag)
        #expect(Self.open(aead, one).bytes == [1])
    }
}
