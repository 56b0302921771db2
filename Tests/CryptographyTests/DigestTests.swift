import Cryptography
import Encodings
import SecretMemory
import TestSupport
import Testing

/// Digits in lower case, for comparison with published values.
private func hex(_ bytes: [UInt8]) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }

@Suite struct SHA256Tests {
    // FIPS 180-4; the examples of NIST's Cryptographic Standards and Guidelines.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func givesThePublishedDigests(message: String, digest: String) {
        #expect(hex(SHA256.digest(Array(message.utf8)).bytes) == digest)
    }

    @Test func givesThePublishedDigestOfAMillionLetters() {
        let digest = SHA256.digest([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(
            hex(digest.bytes) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func givesOneDigestHoweverTheBytesArePieced() {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(300)
        for cut in [0, 1, 63, 64, 65, 127, 128, 299, 300] {
            var hash = SHA256()
            bytes[..<cut].withUnsafeBytes { hash.update($0) }
            bytes[cut...].withUnsafeBytes { hash.update($0) }
            let pieced = hash.finish()
            #expect(pieced == SHA256.digest(bytes), "seed \(numbers.seed)")
        }
        #expect(SHA256.digest(bytes[7..<200]) == SHA256.digest(Array(bytes[7..<200])))
    }

    @Test func ordersItsWordsAsItsBytes() {
        let digest = SHA256.digest(Array("abc".utf8))
        #expect(digest.words.0 == 0xBA78_16BF_8F01_CFEA)
        #expect(digest.words.3 == 0xB410_FF61_F200_15AD)
    }
}

@Suite struct HMACTests {
    // RFC 4231 §4.2 to §4.8; of case 5 the first 16 bytes are published.
    static let published: [(key: [UInt8], message: [UInt8], code: String)] = [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0x0C, count: 20), Array("Test With Truncation".utf8),
            "a3b6167473100ee06e0c796c2955552b"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test(arguments: 1...7) func givesThePublishedCode(number: Int) {
        let (key, message, code) = Self.published[number - 1]
        let found = hex(HMAC.authenticate(message, key: TestKeys.secret(key)))
        #expect(found.prefix(code.count) == code && found.count == 64)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 200])
    func takesAKeyOfAnyLength(count: Int) {
        let key = [UInt8](repeating: 7, count: count)
        let padded =
            count > 64 ? SHA256.digest(key).bytes : key + [UInt8](repeating: 0, count: 64 - count)
        #expect(
            HMAC.authenticate([1, 2, 3], key: TestKeys.secret(key))
                == HMAC.authenticate([1, 2, 3], key: TestKeys.secret(padded)))
    }
}

@Suite struct HKDFTests {
    @Test func givesThePublishedKeyWithoutSaltAndInfo() {
        // RFC 5869, test case 3, its first 32 bytes.
        let key = HKDF.derive(
            from: TestKeys.secret([UInt8](repeating: 0x0B, count: 22)), info: "")
        #expect(
            hex(TestKeys.bytes(key))
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    @Test func givesPythonsKeyWithInfo() {
        // hmac.new(hmac.new(b"", bytes(range(32)), "sha256").digest(), info + b"\x01", "sha256")
        let key = HKDF.derive(
            from: TestKeys.secret(Array(0..<32)), info: "sg-vault-v1:structure-key")
        #expect(
            hex(TestKeys.bytes(key))
                == "1b6230659a8d3dce64b7533623a47266c715b949f8e2489465e796369077be2f")
    }
}

@Suite struct PBKDF2Tests {
    // RFC 7914 §11, the first 32 bytes of each.
    @Test(arguments: [
        ("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
        (
            "Password", "NaCl", 80_000,
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        ),
    ])
    func givesThePublishedKey(password: String, salt: String, rounds: Int, key: String) {
        let password = TestKeys.secret(password)
        let salt = Array(salt.utf8)
        #expect(hex(TestKeys.bytes(PBKDF2.derive(password, salt: salt, rounds: rounds))) == key)
        #expect(
            hex(TestKeys.bytes(PBKDF2.deriveThroughEVP(password, salt: salt, rounds: rounds)))
                == key)
    }

    @Test(arguments: [0, 1, 20, 63, 64, 65, 100, 128, 1000])
    func agreesWithTheLibraryOnAPasswordOfThatLength(count: Int) {
        var numbers = SeededNumbers()
        for rounds in [1, 2, 3, 10] {
            let password = TestKeys.secret(numbers.bytes(count))
            let salt = numbers.bytes(numbers.below(150))
            #expect(
                TestKeys.bytes(PBKDF2.derive(password, salt: salt, rounds: rounds))
                    == TestKeys.bytes(PBKDF2.deriveThroughEVP(password, salt: salt, rounds: rounds)),
                "seed \(numbers.seed)")
        }
    }

    @Test(arguments: [0, 1, 51, 52, 55, 56, 59, 60, 61, 64, 119, 124, 300])
    func agreesWithTheLibraryOnASaltOfThatLength(count: Int) {
        let password = TestKeys.secret("password")
        let salt = [UInt8](repeating: 0xA5, count: count)
        #expect(
            TestKeys.bytes(PBKDF2.derive(password, salt: salt, rounds: 2))
                == TestKeys.bytes(PBKDF2.deriveThroughEVP(password, salt: salt, rounds: 2)))
    }
}
