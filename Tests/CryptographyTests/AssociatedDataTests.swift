import Cryptography
import Encodings
import SecretMemory
import TestSupport
import Testing

@Suite struct AssociatedDataTests {
    private static func hex(_ text: String) -> [UInt8] { Hex.decode(Array(text.utf8)) ?? [] }

    // Test case 16 of the GCM specification (McGrew and Viega).
    private static let key = hex(
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private static let nonce = hex("cafebabefacedbaddecaf888")
    private static let plaintext = hex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    private static let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private static let ciphertext = hex(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662")
    private static let tag = hex("76fc6ece0f4e1768cddf8853bb2d551b")

    @Test func sealsTheVector() {
        let sealed = AEAD.seal(
            TestKeys.secret(Self.plaintext), key: TestKeys.secret(Self.key), nonce: Self.nonce,
            associatedData: Self.data)
        #expect(sealed == Self.nonce + Self.ciphertext + Self.tag)
    }

    @Test func opensTheVector() throws {
        let opened = try #require(
            AEAD.open(
                Self.nonce + Self.ciphertext + Self.tag, key: TestKeys.secret(Self.key),
                associatedData: Self.data))
        #expect(TestKeys.bytes(opened) == Self.plaintext)
    }

    @Test func everyFlippedBitIsRefused() {
        let sealed = Self.nonce + Self.ciphertext + Self.tag
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(
                AEAD.open(changed, key: TestKeys.secret(Self.key), associatedData: Self.data) == nil
            )
        }
        for index in Self.data.indices {
            var changed = Self.data
            changed[index] ^= 0x80
            #expect(
                AEAD.open(sealed, key: TestKeys.secret(Self.key), associatedData: changed) == nil)
        }
    }

    @Test func whatIsTooShortIsRefused() {
        for count in 0..<AEAD.overhead {
            let sealed = [UInt8](repeating: 0, count: count)
            #expect(
                AEAD.open(sealed, key: TestKeys.secret(Self.key), associatedData: []) == nil)
        }
    }

    @Test func anEmptyMessageIsSealed() throws {
        let key = TestKeys.secret(Self.key)
        let sealed = AEAD.seal(
            TestKeys.secret([UInt8]()), key: key, nonce: Self.nonce, associatedData: Self.data)
        #expect(sealed.count == AEAD.overhead)
        #expect(AEAD.open(sealed, key: key, associatedData: Self.data)?.count == 0)
    }
}
