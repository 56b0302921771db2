import Cryptography
import Encodings
import Locks
import SecretMemory
import TestSupport
import Testing
import VaultKeys

@Suite struct LockTests {
    private static let vaultID = Array("abcd1234".utf8)
    private static var secret: SecretBytes { TestKeys.secret(Array(0..<32)) }

    private static func seal(
        _ key: String = "some words:abcd1234", grant: Grant = .vault,
        under sealing: SealingSecret = .secret(secret)
    ) throws -> Lock {
        try Lock.seal(
            try KeyString.parse(TestKeys.secret(key)), grant: grant, under: sealing,
            createdAt: Array("2026-11-30T12:00:00Z".utf8), label: [], random: .system)
    }

    private static func changed(
        _ lock: Lock, _ name: StaticString, _ value: JSONValue, inside: Bool = true
    ) -> Lock {
        var document = lock.document
        if inside {
            var parameters = lock.parameters
            parameters.set(name, value)
            document.set("params", parameters)
        } else {
            document.set(name, value)
        }
        return Lock(document)
    }

    private static func error(_ lock: Lock, _ offered: LockSecret = .secret(secret)) -> LockError? {
        do throws(LockError) {
            _ = try lock.unseal(with: offered, vaultID: vaultID)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Credentials

    @Test(arguments: [1, 54, 55, 56, 118, 119, 951])
    func aPassphraseOfAnyLengthIsSealed(_ count: Int) throws {
        let passphrase = String(repeating: "x", count: count)
        let lock = try Self.seal(passphrase + ":abcd1234")
        let padded = (count + 9 + 63) / 64 * 64
        #expect(lock.sealed?.count == 28 + padded)
        let key = try lock.unseal(with: .secret(Self.secret), vaultID: Self.vaultID)
        guard case .vaultKey(let vaultKey) = key else { throw KeyStringError.malformed }
        #expect(TestKeys.bytes(vaultKey.passphrase) == Array(passphrase.utf8))
    }

    @Test func aPassphraseThatLooksLikeAnotherKeyStaysWhatItIs() throws {
        let digits = String(repeating: "0123456789abcdef", count: 4)
        for passphrase in [digits, " padded ", "sgit_private_read_x", "a:b:c", "ünï"] {
            let key = VaultKey(
                passphrase: TestKeys.secret(passphrase),
                vaultID: try #require(VaultID(Self.vaultID)))
            let lock = try Lock.seal(
                .vaultKey(key), grant: .vault, under: .secret(Self.secret),
                createdAt: Array("2026-11-30T12:00:00Z".utf8), label: [], random: .system)
            let opened = try lock.unseal(with: .secret(Self.secret), vaultID: Self.vaultID)
            guard case .vaultKey(let found) = opened else { throw KeyStringError.malformed }
            #expect(TestKeys.bytes(found.passphrase) == Array(passphrase.utf8))
        }
    }

    @Test func whatNoLockCanHoldIsRefused() {
        for passphrase in [String(repeating: "x", count: 952), "a\0b"] {
            #expect(throws: LockError.unsealableKey) {
                try Self.seal(passphrase + ":abcd1234")
            }
        }
    }

    @Test func aReadKeyGrantsNoVault() {
        let key = String(repeating: "0a", count: 32) + ":abcd1234"
        #expect(throws: LockError.readKeyGrantsNoVault) { try Self.seal(key, grant: .vault) }
        #expect(throws: Never.self) { try Self.seal(key, grant: .read) }
    }

    @Test func everySealingIsAnother() throws {
        let (one, other) = (try Self.seal(), try Self.seal())
        #expect(one.id != other.id)
        #expect(one.parameters != other.parameters)
        #expect(one.sealed?.prefix(12) != other.sealed?.prefix(12))
        #expect(one.hasForm && other.hasForm)
    }

    // MARK: - Every kind

    @Test func aCommandLockAsksItsQuestion() throws {
        var asked: [CommandQuestion] = []
        let lock = try Self.seal(
            under: .command(provider: Array("touch".utf8)) { question in
                asked.append(question)
                return Self.secret
            })
        let question = try #require(lock.commandQuestion(vaultID: Self.vaultID))
        #expect(asked == [question])
        #expect(lock.provider == Array("touch".utf8))
        let lines = String(decoding: question.lines, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5 && lines[0] == "sgvault/v1/command" && lines[4] == "")
        #expect(lines[1] == "abcd1234" && Array(lines[2].utf8) == lock.id && lines[3].count == 64)
        #expect(Self.error(lock, .commandOutput(Self.secret)) == nil)
    }

    @Test func aP256LockOpensForItsRecipientAlone() throws {
        let key = P256.PrivateKey()
        let lock = try Self.seal(under: .p256(key.publicKey, ephemeral: P256.PrivateKey()))
        #expect(Self.error(lock, .p256Key(key)) == nil)
        #expect(Self.error(lock, .p256Key(P256.PrivateKey())) == .doesNotOpen(id: lock.id))
        let beside = Self.changed(lock, "epk", .text(String(repeating: "04", count: 65)))
        #expect(Self.error(beside, .p256Key(key)) == .doesNotOpen(id: lock.id))
    }

    // MARK: - Bounds

    private static func passphraseLock(_ kdf: String, _ numbers: [(StaticString, Int)]) throws
        -> Lock
    {
        var lock = try seal()
        lock = changed(lock, "kind", .text("passphrase"), inside: false)
        lock = changed(lock, "kdf", .text(kdf))
        for (name, value) in numbers { lock = changed(lock, name, .integer(value)) }
        return lock
    }

    @Test(arguments: [
        (19_455, 3, 1, "m_kib"), (1_048_577, 1, 1, "m_kib"), (65_536, 0, 1, "t"),
        (65_536, 11, 1, "t"), (65_536, 3, 2, "p"), (19_456, 1, 1, "m_kib x t"),
        (1_048_576, 5, 1, "m_kib x t"), (9_007_199_254_740_991, 10, 1, "m_kib"),
    ])
    func argon2idOutOfBoundsIsRefused(_ m: Int, _ t: Int, _ p: Int, _ parameter: String) throws {
        let lock = try Self.passphraseLock("argon2id", [("m_kib", m), ("t", t), ("p", p)])
        let expected = LockError.outOfBounds(id: lock.id, parameter: parameter)
        #expect(Self.error(lock, .passphrase(TestKeys.secret("x"))) == expected)
        #expect(throws: expected) { try lock.checkForm() }
    }

    @Test(arguments: [
        (15, 8, 1, "log_n"), (21, 8, 1, "log_n"), (17, 7, 1, "r"), (17, 9, 1, "r"),
        (17, 8, 0, "p"), (17, 8, 5, "p"),
    ])
    func scryptOutOfBoundsIsRefused(
        _ logN: Int, _ r: Int, _ p: Int, _ parameter: String
    ) throws {
        let lock = try Self.passphraseLock("scrypt", [("log_n", logN), ("r", r), ("p", p)])
        #expect(
            Self.error(lock, .passphrase(TestKeys.secret("x")))
                == .outOfBounds(id: lock.id, parameter: parameter))
    }

    @Test func whatThisReleaseDoesNotKnowIsUnusable() throws {
        let lock = Self.changed(try Self.seal(), "kind", .text("x-new"), inside: false)
        #expect(Self.error(lock) == .unusable(id: lock.id, name: Array("x-new".utf8)))
        let other = try Self.passphraseLock("pbkdf2", [])
        #expect(
            Self.error(other, .passphrase(TestKeys.secret("x")))
                == .unusable(id: other.id, name: Array("pbkdf2".utf8)))
    }

    @Test(arguments: [0, 27, 28, 91, 93, 28 + 16 * 64])
    func aSealedTextOfAnotherLengthDoesNotOpen(_ count: Int) throws {
        let sealed = String(repeating: "00", count: count)
        let lock = Self.changed(try Self.seal(), "sealed", .text(sealed), inside: false)
        #expect(Self.error(lock) == .doesNotOpen(id: lock.id))
    }

    @Test func aLockWithoutItsPartsDoesNotOpen() throws {
        for value in [JSONValue.text("00"), .null, .integer(1)] {
            let lock = Self.changed(try Self.seal(), "salt", value)
            #expect(Self.error(lock) == .doesNotOpen(id: lock.id))
        }
        let lock = Lock(.object([]))
        #expect(Self.error(lock) == .unusable(id: [], name: []))
    }

    // MARK: - Lines

    private static func lineError(_ text: String) -> LockError? {
        do throws(LockError) {
            _ = try Lock.read(line: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func aLineMustBeTheOneSpelling() throws {
        let line = String(decoding: try Self.seal().line(vaultID: Self.vaultID), as: UTF8.self)
        #expect(Self.lineError(line) == nil)
        #expect(Self.lineError(line + line) == .severalLines)
        #expect(Self.lineError(line + "\n") == .severalLines)
        #expect(Self.lineError(String(line.dropLast())) == .noLock)
        #expect(Self.lineError(line.replacing("\":", with: "\": ")) == .noLock)
        #expect(Self.lineError("") == .noLock)
        #expect(Self.lineError("{}\n") == .noLock)
        #expect(Self.lineError(line.replacing("abcd1234", with: "abc")) == .noLock)
        #expect(
            Self.lineError(line.replacing("\"version\":1", with: "\"version\":2"))
                == .unknownVersion(2))
        #expect(Self.lineError(line.replacing("\"sgvault\"", with: "\"other\"")) == .noLock)
    }

    @Test func aLabelIsComposedAndBounded() {
        #expect(Lock.label(Array("e\u{301}".utf8)) == Array("\u{E9}".utf8))
        #expect(Lock.label(Array(String(repeating: "é", count: 64).utf8))?.count == 128)
        #expect(Lock.label(Array(String(repeating: "x", count: 65).utf8)) == nil)
        #expect(Lock.label([0x0A]) == nil)
        #expect(Lock.label([0xFF]) == nil)
        #expect(Lock.label([]) == [])
    }

    @Test func aMachineMadeKeyIsTold() throws {
        let id = try #require(VaultID(Self.vaultID))
        func isMachineMade(_ text: String) -> Bool {
            VaultKey(passphrase: TestKeys.secret(text), vaultID: id).isMachineMade
        }
        #expect(isMachineMade("abcdefghijklmnopqrstuvwx"))
        #expect(!isMachineMade("abcdefghijklmnopqrstuvw"))
        #expect(!isMachineMade("abcdefghijklmnopqrstuvwX"))
        #expect(!isMachineMade("correct horse battery staple"))
    }
}
