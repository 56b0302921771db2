import Cryptography
import SecretMemory
import TestSupport
import Testing

@Suite struct P256PrivateKeyTests {
    private static func key(_ pem: String) -> P256.PrivateKey? {
        P256.PrivateKey(pem: TestKeys.secret(pem))
    }

    private static func vectorKey() throws -> P256.PrivateKey {
        try #require(key(Vectors.document("signature").text("private_key_pkcs8_pem")))
    }

    /// The public key of the vectors, as openssl wrote it.
    private static func vectorPublicPEM() throws -> [UInt8] {
        try Vectors.document("signature").bytes("public_key_pem")
    }

    // MARK: - Signing

    @Test(arguments: [0, 1, 64, 1000])
    func makesSignaturesThatItsPublicKeyTakes(count: Int) {
        var numbers = SeededNumbers()
        let message = numbers.bytes(count)
        let key = P256.PrivateKey()
        let signature = key.sign(message)
        #expect(key.publicKey.isValid(signature, of: message), "seed \(numbers.seed)")
        #expect(!key.publicKey.isValid(signature, of: message + [0]), "seed \(numbers.seed)")
    }

    @Test func makesSignaturesOf64BytesHoweverSmallTheirHalves() {
        // One in 128 has a half that begins with a zero byte.
        let key = P256.PrivateKey()
        let publicKey = key.publicKey
        var padded = 0
        for number in 0..<1500 {
            let message = Array("\(number)".utf8)
            let signature = key.sign(message)
            guard signature.count == 64, signature[0] == 0 || signature[32] == 0 else {
                #expect(signature.count == 64)
                continue
            }
            padded += 1
            #expect(publicKey.isValid(signature, of: message))
        }
        #expect(padded > 0)
    }

    @Test func makesSignaturesThatNoOtherKeyTakes() throws {
        let signature = P256.PrivateKey().sign([1])
        #expect(!P256.PrivateKey().publicKey.isValid(signature, of: [1]))
        #expect(try !Self.vectorKey().publicKey.isValid(signature, of: [1]))
    }

    @Test func signsForTheStoredPublicKeyOfTheVectors() throws {
        let key = try #require(P256.PublicKey(pem: Self.vectorPublicPEM()))
        #expect(key.isValid(try Self.vectorKey().sign([1, 2]), of: [1, 2]))
    }

    @Test func makesAnotherKeyEachTime() {
        #expect(P256.PrivateKey().publicKey.pem != P256.PrivateKey().publicKey.pem)
    }

    @Test func givesAPublicKeyThatOutlivesIt() {
        var key: P256.PrivateKey? = P256.PrivateKey()
        let signature = key?.sign([1]) ?? []
        let publicKey = key?.publicKey
        key = nil
        for _ in 0..<10 { _ = P256.PrivateKey() }
        #expect(publicKey?.isValid(signature, of: [1]) == true)
    }

    // MARK: - PEM

    @Test func writesTheTextsThatOpensslWrites() throws {
        let key = try Self.vectorKey()
        let pem = try Vectors.document("signature").bytes("private_key_pkcs8_pem")
        #expect(TestKeys.bytes(key.pem) == pem)
        #expect(key.publicKey.pem == (try Self.vectorPublicPEM()))
        let publicKey = try #require(P256.PublicKey(pem: Self.vectorPublicPEM()))
        #expect(publicKey.pem == (try Self.vectorPublicPEM()))
    }

    @Test func readsWhatItWrites() throws {
        let key = P256.PrivateKey()
        let copy = try #require(P256.PrivateKey(pem: key.pem))
        #expect(TestKeys.bytes(copy.pem) == TestKeys.bytes(key.pem))
        #expect(copy.publicKey.pem == key.publicKey.pem)
        #expect(key.publicKey.isValid(copy.sign([5]), of: [5]))
        let publicKey = try #require(P256.PublicKey(pem: key.publicKey.pem))
        #expect(publicKey.isValid(key.sign([5]), of: [5]))
    }

    @Test func readsSEC1() throws {
        let key = try #require(Self.key(Self.pem("EC PRIVATE KEY", Self.sec1)))
        #expect(key.publicKey.pem == (try Self.vectorPublicPEM()))
    }

    @Test func readsSEC1BehindItsParameters() throws {
        let parameters = Self.pem("EC PARAMETERS", "BggqhkjOPQMBBw==")
        let key = try #require(Self.key(parameters + Self.pem("EC PRIVATE KEY", Self.sec1)))
        #expect(key.publicKey.pem == (try Self.vectorPublicPEM()))
    }

    @Test(arguments: [
        "encrypted", "encrypted SEC 1", "P-384", "P-384 in SEC 1", "secp256k1", "RSA", "Ed25519",
        "public", "garbage", "nothing", "no key inside", "bad base64", "cut short", "zeros",
    ])
    func takesNoOtherKindOfKey(kind: String) throws {
        let vectors = try Vectors.document("signature")
        let valid = try vectors.text("private_key_pkcs8_pem")
        let body = valid.split(separator: "\n")[1]
        let pems = [
            "encrypted": Self.pem("ENCRYPTED PRIVATE KEY", Self.encrypted),
            "encrypted SEC 1": Self.encryptedSEC1, "P-384": Self.pem("PRIVATE KEY", Self.p384),
            "P-384 in SEC 1": Self.pem("EC PRIVATE KEY", Self.sec1OfP384),
            "secp256k1": Self.pem("PRIVATE KEY", Self.secp256k1),
            "RSA": Self.pem("PRIVATE KEY", Self.rsa),
            "Ed25519": Self.pem("PRIVATE KEY", Self.ed25519),
            "public": try vectors.text("public_key_pem"), "garbage": "garbage", "nothing": "",
            "no key inside": Self.pem("PRIVATE KEY", "AAAA"),
            "bad base64": Self.pem("PRIVATE KEY", "****"),
            "cut short": Self.pem("PRIVATE KEY", String(body)),
            "zeros": String(repeating: "\0", count: 300),
        ]
        #expect(Self.key(try #require(pems[kind])) == nil)
    }

    @Test func takesAKeyAfterMany() throws {
        for _ in 0..<100 { #expect(Self.key("garbage") == nil) }
        _ = try Self.vectorKey()
    }

    // MARK: - Keys made with openssl 3.0 for these tests; `sec1` is the key of the vectors

    private static func pem(_ label: String, _ body: String) -> String {
        var lines = "-----BEGIN \(label)-----\n"
        var rest = body[...]
        while !rest.isEmpty {
            lines += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return lines + "-----END \(label)-----\n"
    }

    private static let p384 =
        "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDK0+Q3xY2JbkBDyK6GZHY3Hlva29B0"
        + "IV5Qc42nk01saVOkzIxXhlQ2FPboSZhLqe6hZANiAATEqCMtuVdY/wSMcaI5xcHtEEZGlffZrulJ"
        + "t0APlWRYx8E0Jo/cbJB6KEl6xUZqvk9BqHfBXQRLnx27Lz8WVmUtlIXk5aaF+MVYBaW46JJJvQNC"
        + "hpF8+j5tcdfwePpRIaI="
    private static let secp256k1 =
        "MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgVx68a5elaxkuyD3BycrseAlpnzzsX9jX"
        + "4zJDX+kirDahRANCAASj7VinOcx7f9cuByc/Pbu36OlFo5QH1q/0BYTjlZJZWBOmxHEr0qeh7G6v"
        + "yoOZuy0Pc1r3dWfEkEMFBryDT9kM"
    private static let ed25519 =
        "MC4CAQAwBQYDK2VwBCIEIN2CbGzHveyyFiv56rCm2t49ukZrmeaoin/oE6Wm/+m9"
    private static let rsa =
        "MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAr8TWZSOV0M48fRAHsnf1d55yDnqC"
        + "jwnUuEqAeG3q6bd3hbu9ajycKcdvMoTE84dcDxUKKofAYDO6YX5/FjNX+QIDAQABAkEArvbch97t"
        + "YeX5tnA/iTr6IPGbDaiL0AD0O+MFkVuxLKWq6P9AjnZdjslIJDvQ6HDId48b2yTLcQgCGGnvEYaA"
        + "NQIhAN0qjB/NiFkgxkjg2sqt3JcBd9CeTUYYb+0cKnxsYX2LAiEAy3PdRuOzQtih0Apgwp1njaOM"
        + "xOnADrZNdOu3USsNOQsCIQDLPyWEuHo8Bi2SnekTZ5GXyEaWllPHPf/l9ANrUqKJHwIgTimTR1rP"
        + "Uc0cTWrPRbVnRTkiKbyL9pr/Iv40DVD24YUCICBnam1oHv4TYqw39429fEObOeIH6LD0REsu0NNi"
        + "3cZi"
    private static let sec1 =
        "MHcCAQEEIIM0bTbknHBxam9LKrg4UCvaZt3ODB1cM7BxcBLFEXajoAoGCCqGSM49AwEHoUQDQgAE"
        + "pnvK/zq7FXs/MGpb2B1U/H3+fWAvW7StoXUfs9kGw2HlPFps35Qhofl1uHN0t6qYqe0Ab1XxbOvC"
        + "fZxf4miWYA=="
    private static let sec1OfP384 =
        "MIGkAgEBBDDo069NnkaakOhmsazSDyvKh91D+d6v15VMLjIF8evpWCND+1JMSCoRfvjUwgM8XxKg"
        + "BwYFK4EEACKhZANiAATFDYk69tyNH0BKx8AkzNX7361y+u5e8ZZDEFOIjkwHbSvvNCw1z+dALAfB"
        + "fU0e/reZ0mkIsvUiF/IEFA35jtBi/aoBAEPkblwgpT6wdIg6vA9Hsi0vAUa2sAz5n7meH9I="
    private static let encrypted =
        "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjDRDuJJ1N0ZQICCAAwDAYIKoZIhvcN"
        + "AgkFADAdBglghkgBZQMEASoEEAgqEXa1BXNzcnkmR67paigEgZDq73a0MhwJnkJvd9tbKRMYrwkn"
        + "U8IGfXH0EslDHFK+fu3K4sua9uhIOLBVp53UjVMrxLI1BVZf0GKOgoUq7N2Ebd6Srhb/bduuhmmw"
        + "bvZp5aI1GKVXs7L0pFxdiEwAYDnbMjubIg6EaOi3rjHtKdF9R5TU+2Rgf+u8xm0VB4dtgG32tedl"
        + "H9yjC6qw01RDyCA="
    private static let encryptedSEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,9797060DC21FED643D38E1E813443C5E

        /ovNHmioi8mRGn9WM9PpqbblA1Y3vSmI6mhr9hsFqFi1tLcEQNJoGo/uNVWHMnF9
        42JnDeIJXiwdULuSAuQ+OhU64w6UccYseIVk9C7W5rPf3MkcDEFxtCUgChvi+63y
        IhWUTFGO4jRpoDpZFoC5wEYhNtoU2LJE8qPQd8zGkIU=
        -----END EC PRIVATE KEY-----

        """
}
