import Cryptography
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@Suite struct PublicKeyEncryptionTests {
    /// A private key that openssl makes, in PEM.
    private static func pem(_ arguments: String...) throws -> SecretBytes {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["genpkey"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return TestKeys.secret(Array(bytes))
    }

    private static func rsa(_ bits: Int) throws -> SecretBytes {
        try pem("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)")
    }

    // MARK: - RSA-OAEP

    @Test func whatIsEncryptedIsDecrypted() throws {
        let key = try #require(RSAOAEP.PrivateKey(pem: Self.rsa(2048)))
        let secret = TestKeys.secret(Array(0..<32))
        let ciphertext = key.publicKey.encrypt(secret)
        #expect(ciphertext.count == 256)
        #expect(ciphertext != key.publicKey.encrypt(secret))
        #expect(key.decrypt(ciphertext).map(TestKeys.bytes) == Array(0..<32))
    }

    @Test func whatIsDamagedOrAnothersIsRefused() throws {
        let key = try #require(RSAOAEP.PrivateKey(pem: Self.rsa(2048)))
        let other = try #require(RSAOAEP.PrivateKey(pem: Self.rsa(2048)))
        var ciphertext = key.publicKey.encrypt(TestKeys.secret(Array(0..<32)))
        #expect(other.decrypt(ciphertext) == nil)
        ciphertext[200] ^= 1
        #expect(key.decrypt(ciphertext) == nil)
        #expect(key.decrypt(Array(ciphertext.dropLast())) == nil)
        #expect(key.decrypt([]) == nil)
    }

    @Test func aShortModulusAndAnotherAlgorithmAreRefused() throws {
        #expect(RSAOAEP.PrivateKey(pem: try Self.rsa(1024)) == nil)
        let curve = P256.PrivateKey()
        #expect(RSAOAEP.PrivateKey(pem: curve.pem) == nil)
        #expect(RSAOAEP.PublicKey(pem: curve.publicKey.pem) == nil)
        #expect(RSAOAEP.PublicKey(pem: []) == nil)
        #expect(RSAOAEP.PrivateKey(pem: TestKeys.secret("-----BEGIN PRIVATE KEY-----\n")) == nil)
    }

    // MARK: - Key agreement

    @Test func bothSidesAgree() throws {
        let (one, other) = (P256.PrivateKey(), P256.PrivateKey())
        let shared = try #require(one.agree(with: other.publicKey))
        #expect(shared.count == 32)
        #expect(
            TestKeys.bytes(shared)
                == (try TestKeys.bytes(#require(other.agree(with: one.publicKey)))))
    }

    @Test func aPointIsReadAgain() throws {
        let key = P256.PrivateKey().publicKey
        let point = key.point
        #expect(point.count == P256.pointCount)
        let again = try #require(P256.PublicKey(point: point))
        #expect(again.point == point)
        #expect(again.fingerprint == key.fingerprint)
        #expect(again.pem == key.pem)
    }

    @Test func whatIsNoPointOnTheCurveIsRefused() {
        let point = P256.PrivateKey().publicKey.point
        var beside = point
        beside[64] ^= 1
        #expect(P256.PublicKey(point: beside) == nil)
        #expect(P256.PublicKey(point: Array(point.dropLast())) == nil)
        #expect(P256.PublicKey(point: point + [0]) == nil)
        #expect(P256.PublicKey(point: [0x06] + point.dropFirst()) == nil)
        #expect(P256.PublicKey(point: [0x02] + point[1..<33]) == nil)
        #expect(P256.PublicKey(point: [UInt8](repeating: 0, count: 65)) == nil)
        #expect(P256.PublicKey(point: [0]) == nil)
        #expect(P256.PublicKey(point: [0x04] + [UInt8](repeating: 0xFF, count: 64)) == nil)
    }

    @Test func theFingerprintIsOfTheKeyAsOpenSSLWritesIt() throws {
        let pem = P256.PrivateKey().publicKey.pem
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
        let encoded = try #require(
            Data(base64Encoded: lines.dropFirst().dropLast().joined()))
        let key = try #require(P256.PublicKey(pem: pem))
        #expect(key.fingerprint == SHA256.digest(Array(encoded)).bytes)
    }
}
