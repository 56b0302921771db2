import Cryptography
import Encodings
import SecretMemory
import TestSupport
import Testing

@Suite struct KeyDerivationTests {
    private static func hex(_ secret: SecretBytes) -> String {
        String(decoding: Hex.encode(TestKeys.bytes(secret)), as: UTF8.self)
    }

    // MARK: - HKDF: RFC 5869, appendix A; the first 32 bytes of the output

    @Test func derivesTheFirstVector() {
        let derived = HKDF.derive(
            from: TestKeys.secret([UInt8](repeating: 0x0B, count: 22)), salt: Array(0x00...0x0C),
            info: Array(0xF0...0xF9))
        #expect(
            Self.hex(derived) == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf")
    }

    @Test func derivesTheVectorWithLongInputs() {
        let derived = HKDF.derive(
            from: TestKeys.secret(Array(0x00...0x4F)), salt: Array(0x60...0xAF),
            info: Array(0xB0...0xFF))
        #expect(
            Self.hex(derived) == "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c")
    }

    @Test func derivesTheVectorWithNothingBeside() {
        let derived = HKDF.derive(
            from: TestKeys.secret([UInt8](repeating: 0x0B, count: 22)), info: [])
        #expect(
            Self.hex(derived) == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    // MARK: - scrypt: RFC 7914, section 12; the first 32 of 64 bytes, which are the same

    @Test(arguments: [
        ("", "", 4, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        ),
    ])
    func derivesByScrypt(
        _ password: String, _ salt: String, _ logN: Int, _ r: Int, _ p: Int, _ expected: String
    ) throws {
        let derived = try Scrypt.derive(
            TestKeys.secret(password), salt: Array(salt.utf8), logN: logN, r: r, p: p)
        #expect(Self.hex(derived) == expected)
    }

    @Test func aLackOfMemoryIsAnError() {
        // 8 TiB: more than an address space has in the machines that this runs on.
        #expect(throws: OutOfMemory.self) {
            try Scrypt.derive(TestKeys.secret("x"), salt: [1], logN: 30, r: 64, p: 1)
        }
    }
}
