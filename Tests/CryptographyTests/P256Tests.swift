import Cryptography
import Encodings
import TestSupport
import Testing

@Suite struct P256Tests {
    private static func key() throws -> P256.PublicKey {
        try #require(P256.PublicKey(pem: Vectors.document("signature").bytes("public_key_pem")))
    }

    @Test func judgesEveryRawSignatureOfTheVectors() throws {
        let key = try Self.key()
        for row in try Vectors.rows("signature", "raw", count: 17) {
            #expect(
                key.isValid(try row.hex("signature_hex"), of: try row.hex("message_hex"))
                    == (try row.flag("valid")), "\(row)")
        }
    }

    @Test func judgesTheBase64OfEveryRawSignatureAlike() throws {
        for row in try Vectors.rows("signature", "raw", count: 17) {
            #expect(
                Base64.decode(try row.bytes("signature_base64")) == (try row.hex("signature_hex")))
        }
    }

    @Test func refusesEveryFlippedByteOfASignature() throws {
        let key = try Self.key()
        let row = try #require(Vectors.rows("signature", "raw", count: 17).first)
        let (signature, message) = (try row.hex("signature_hex"), try row.hex("message_hex"))
        #expect(key.isValid(signature, of: message))
        for index in signature.indices {
            var broken = signature
            broken[index] ^= 0x10
            #expect(!key.isValid(broken, of: message), "byte \(index)")
        }
    }

    @Test func refusesSignaturesOfEveryOtherLength() throws {
        let key = try Self.key()
        for count in 0...130 where count != 64 {
            #expect(!key.isValid([UInt8](repeating: 1, count: count), of: []))
        }
    }

    @Test func takesTheKeyOfTheVectors() throws {
        _ = try Self.key()
    }

    @Test(arguments: [
        "RSA", "P-384", "secp256k1", "Ed25519", "private", "garbage", "nothing", "no key inside",
        "bad base64", "cut short",
    ])
    func takesNoOtherKindOfKey(kind: String) throws {
        let vectors = try Vectors.document("signature")
        let valid = try vectors.text("public_key_pem")
        let body = valid.split(separator: "\n")[1]
        let pems = [
            "RSA": Self.publicKey(Self.rsa), "P-384": Self.publicKey(Self.p384),
            "secp256k1": Self.publicKey(Self.secp256k1), "Ed25519": Self.publicKey(Self.ed25519),
            "private": try vectors.text("private_key_pkcs8_pem"), "garbage": "garbage",
            "nothing": "",
            "no key inside": Self.publicKey("AAAA"), "bad base64": Self.publicKey("****"),
            "cut short": Self.publicKey(String(body)),
        ]
        #expect(P256.PublicKey(pem: Array(try #require(pems[kind]).utf8)) == nil)
    }

    @Test func takesNoKeyPastItsBound() throws {
        let pem = try Vectors.document("signature").bytes("public_key_pem")
        #expect(P256.PublicKey(pem: pem + [UInt8](repeating: 0x0A, count: 65_536)) == nil)
    }

    @Test func takesNoKeyWithAFlippedPoint() throws {
        let pem = try Vectors.document("signature").text("public_key_pem")
        let lines = pem.split(separator: "\n").map(String.init)
        var der = try #require(Base64.decode(Array((lines[1] + lines[2]).utf8)))
        der[der.count - 1] ^= 1
        let text = String(decoding: Base64.encode(der), as: UTF8.self)
        #expect(P256.PublicKey(pem: Array(Self.publicKey(text).utf8)) == nil)
    }

    @Test func takesAKeyAfterMany() throws {
        for _ in 0..<100 { #expect(P256.PublicKey(pem: Array("garbage".utf8)) == nil) }
        _ = try Self.key()
    }

    // MARK: - Keys of other kinds, made with openssl 3.0; nobody has the private halves

    private static func publicKey(_ body: String) -> String {
        var lines = "-----BEGIN PUBLIC KEY-----\n"
        var rest = body[...]
        while !rest.isEmpty {
            lines += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return lines + "-----END PUBLIC KEY-----\n"
    }

    private static let rsa =
        "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlRWNdqo1vX5oSv2BYdkY559YDLDonp6IiF9g"
        + "y/3ahOFZGnvBVkrurDKGtlrG71gTCqg7r1lKBGnwGX8qz5905dQ1JSHJMr4Pwv5aSEaUEygq1DIEhRWB"
        + "AJB5XWUl6OAVR8FPb+oAn8PGVXWhvABcSTfSWiqXJlcqmQwOGkFpZQKLLLGJQtjtHWeiq4nCeHLsV1N4"
        + "0oh9veDmGINkleVzI58YPPj5bG2TKuz+OxgtpAUTFCq+M+GcMonImxecGxXcupR9c+dqg2+pah0EAXHV"
        + "yKsf+uf7IKPyzJX6/RmPwVnTlEOMiRG6dOsLBJia5MAq1Bn2Hwo3NKdA1557VQ1X6QIDAQAB"
    private static let p384 =
        "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEFTE41GDq8aGY3sCbM33MR8bVx7DwCOcZUuxbvLwbhtP/DXyj"
        + "ipQcWXBTL37FNgcvbnguqcQfj1yfIWFBZlCX3qOddWNSXxVgFpK8+5MX7yKcWN9ykMvP3omJrBDvj2y/"
    private static let secp256k1 =
        "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAE5o3f0Fjl2y3N+mC3znaP9maNLea2BBl5sRkiYoCxOPY7rC+R"
        + "m4GcfErJ8mHmD+QhJu7gRZUL6AbXNfeM0DeOyQ=="
    private static let ed25519 =
        "MCowBQYDK2VwAyEA5zG4MQYSZBCvnEvwY6OFuVL8eoY25pwtUl0KMAP9Ek0="
}
