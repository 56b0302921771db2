import Cryptography
import Encodings
import Foundation
import Locks
import SecretMemory
import TestSupport
import Testing
import VaultKeys

/// The locks of vault-file.json, to the byte.
@Suite struct LockVectorTests {
    private static let vaultID = Array("testvault01".utf8)

    private static func row(_ name: String) throws -> Row {
        let rows = try Vectors.rows("vault-file", "locks", count: 5)
        return try #require(try rows.first { try $0.text("name") == name })
    }

    private static func lock(_ name: String) throws -> Lock {
        Lock(try row(name).row("lock").value)
    }

    private static func secret(_ name: String) throws -> LockSecret {
        let row = try row(name)
        switch name {
        case "A": return .recoveryCode(TestKeys.secret(try row.hex("secret")))
        case "B1":
            return .passphrase(try Passphrase.read(TestKeys.secret(try row.hex("typed_utf8"))))
        case "B2": return .passphrase(TestKeys.secret(try row.hex("nfc_utf8")))
        case "C": return .secret(TestKeys.secret(try row.hex("secret")))
        default:
            let pem = TestKeys.secret(try row.bytes("recipient_private_pem"))
            return .p256Key(try #require(P256.PrivateKey(pem: pem)))
        }
    }

    /// The credential of a key, as the vectors write it.
    private static func credential(_ key: KeyString) -> String {
        let line = String(decoding: TestKeys.bytes(key.line), as: UTF8.self)
        return line.replacingOccurrences(of: "sgit_private_vault_", with: "")
            .replacingOccurrences(of: "sgit_private_read_", with: "")
            .trimmingCharacters(in: .newlines)
    }

    @Test(arguments: ["A", "B1", "B2", "C", "P256"]) func opens(_ name: String) throws {
        let lock = try Self.lock(name)
        let key = try lock.unseal(with: Self.secret(name), vaultID: Self.vaultID)
        let vectors = try Vectors.document("vault-file")
        if name == "C" {
            guard case .readKey(let readKey) = key else { throw KeyStringError.notAReadKey }
            #expect(TestKeys.bytes(readKey.secret) == (try vectors.hex("read_key")))
            #expect(readKey.fingerprint() == (try vectors.hex("fingerprint")))
        } else {
            #expect(Self.credential(key) == (try vectors.text("credential")))
        }
    }

    /// Random bytes that are given out in order.
    private static func random(_ bytes: [UInt8]) -> RandomBytes {
        var rest = bytes[...]
        return RandomBytes { target in
            target.copyBytes(from: rest.prefix(target.count))
            rest = rest.dropFirst(target.count)
        }
    }

    /// The ephemeral key of the vectors: the hash of a text as a scalar.
    private static func ephemeral() throws -> P256.PrivateKey {
        let scalar = SHA256.digest(Array("sgvault vector ephemeral".utf8)).bytes
        let heading = Hex.decode(
            Array("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420".utf8))
        let encoded = Data((heading ?? []) + scalar).base64EncodedString()
        let pem = "-----BEGIN PRIVATE KEY-----\n\(encoded)\n-----END PRIVATE KEY-----\n"
        return try #require(P256.PrivateKey(pem: TestKeys.secret(pem)))
    }

    private static func sealing(_ name: String) throws -> SealingSecret {
        switch try secret(name) {
        case .recoveryCode(let bytes): .recoveryCode(bytes)
        case .passphrase(let text):
            .passphrase(text, name == "B1" ? .argon2id(memory: 65_536, passes: 3) : .scrypt)
        case .secret(let bytes): .secret(bytes)
        case .p256Key(let key): .p256(key.publicKey, ephemeral: try ephemeral())
        default: .secret(TestKeys.secret([]))
        }
    }

    @Test(arguments: ["A", "B1", "B2", "C", "P256"]) func seals(_ name: String) throws {
        let expected = try Self.lock(name)
        let credential = try Vectors.document("vault-file").bytes("credential")
        let random = Self.random(
            (Hex.decode(expected.id) ?? [])
                + (try Row(expected.parameters).hex("salt")) + (expected.sealed ?? []).prefix(12))
        let lock = try Lock.seal(
            try KeyString.parse(TestKeys.secret(credential)), grant: try #require(expected.grant),
            under: Self.sealing(name), createdAt: expected.createdAt, label: expected.label,
            random: random)
        #expect(
            String(decoding: lock.canonical, as: UTF8.self)
                == String(decoding: expected.canonical, as: UTF8.self))
    }

    @Test func theLineIsReadAndWritten() throws {
        let line = try #require(try Vectors.document("vault-file").texts("lock_lines").first)
        let (lock, vaultID) = try Lock.read(line: line)
        #expect(lock == (try Self.lock("A")))
        #expect(vaultID == Self.vaultID)
        #expect(lock.line(vaultID: vaultID) == line)
    }

    @Test func derivesTheSlowKeys() throws {
        for (name, derivation) in [
            ("B1", PassphraseDerivation.argon2id(memory: 65_536, passes: 3)), ("B2", .scrypt),
        ] {
            let row = try Self.row(name)
            let salt = try row.row("lock").row("params").hex("salt")
            let derived = try derivation.derive(
                TestKeys.secret(try row.hex("nfc_utf8")), salt: salt)
            #expect(TestKeys.bytes(derived) == (try row.hex("kdf_output")))
            #expect(try PassphraseDerivation(of: Self.lock(name)) == derivation)
        }
    }

    // MARK: - What no longer opens

    @Test func aLockOfOtherParametersDoesNotOpen() throws {
        var document = try Self.lock("B1").document
        var parameters = try #require(document["params"])
        parameters.set("t", .integer(2))
        document.set("params", parameters)
        let lock = Lock(document)
        #expect(throws: LockError.doesNotOpen(id: lock.id)) {
            try lock.unseal(with: Self.secret("B1"), vaultID: Self.vaultID)
        }
    }

    @Test(arguments: ["A", "C", "P256"]) func noOtherSecretOpens(_ name: String) throws {
        let lock = try Self.lock(name)
        let wrong: [LockSecret] = [
            .recoveryCode(TestKeys.secret([UInt8](repeating: 0, count: 16))),
            .secret(TestKeys.secret([UInt8](repeating: 0, count: 32))),
            .commandOutput(TestKeys.secret([UInt8](repeating: 0, count: 32))),
            .passphrase(TestKeys.secret("x")), .p256Key(P256.PrivateKey()),
        ]
        for secret in wrong {
            #expect(throws: LockError.doesNotOpen(id: lock.id)) {
                try lock.unseal(with: secret, vaultID: Self.vaultID)
            }
        }
    }

    @Test func aLockOfAnotherVaultDoesNotOpen() throws {
        let lock = try Self.lock("A")
        #expect(throws: LockError.doesNotOpen(id: lock.id)) {
            try lock.unseal(with: Self.secret("A"), vaultID: Array("testvault02".utf8))
        }
    }

    @Test func everyChangedMemberUnderTheSealIsNoticed() throws {
        let original = try Self.lock("A")
        let changes: [(StaticString, JSONValue)] = [
            ("grants", .text("read")), ("id", .text("0011223344556678")),
            ("kind", .text("secret")),
        ]
        for (name, value) in changes {
            var document = original.document
            document.set(name, value)
            let lock = Lock(document)
            #expect(throws: LockError.doesNotOpen(id: lock.id)) {
                try lock.unseal(with: Self.secret("A"), vaultID: Self.vaultID)
            }
        }
        var document = original.document
        document.set("label", .text("renamed"))
        document.set("created_at", .text("2027-01-01T00:00:00Z"))
        _ = try Lock(document).unseal(with: Self.secret("A"), vaultID: Self.vaultID)
    }
}
