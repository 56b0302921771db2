import CommandInterface
import Encodings
import FileSystem
import Foundation
import Locks
import Objects
import Store
import TestSupport
import Testing
import Unlocking
import VaultFile
import VaultKeys

/// A vault file opened as the options of a call say.
@Suite struct OpeningOptionsTests {
    private static let options = OpeningOptions()
    private static let credential = "golden example passphrase:testvault01"
    private static let code = "000G-40R4-0M30-E209-185G-R38E-1W9D"
    private let place = TemporaryFolder()
    private let layout: StoreLayout

    init() throws {
        try FileManager.default.createDirectory(
            atPath: place.path + "/bare/data", withIntermediateDirectories: true)
        layout = try #require(StoreLayout(at: place.path))
    }

    private static func call(_ words: [String]) throws -> Invocation {
        let parser = Parser(forms: [[options.elements]])
        guard case .run(let parsed) = try parser.parse(words.map { Array($0.utf8) }) else {
            throw UsageError("not a run")
        }
        return Invocation(
            parsed, command: nil, name: "tool", output: Output(descriptor: 1, toolName: "tool"))
    }

    private static func key() throws -> VaultKey {
        try KeyString.parseVaultKey(TestKeys.secret(credential))
    }

    private static func readKey() throws -> ReadKey {
        let bytes = try Vectors.document("vault-file").hex("read_key")
        return TestKeys.readKey(bytes, vault: "testvault01")
    }

    /// The lock of the vectors of that name.
    private static func lock(_ name: String) throws -> Lock {
        let rows = try Vectors.rows("vault-file", "locks", count: 5)
        return Lock(try #require(try rows.first { try $0.text("name") == name }).row("lock").value)
    }

    /// A lock whose slow derivation is as cheap as one may be, and that no secret opens.
    private static func slow(_ id: Int) -> Lock {
        Lock(
            .object([
                .init("created_at", .text("2020-01-01T00:00:00Z")), .init("grants", .text("vault")),
                .init("id", .text("000000000000000\(id)")), .init("kind", .text("passphrase")),
                .init("label", .text("")),
                .init(
                    "params",
                    .object([
                        .init("kdf", .text("argon2id")), .init("m_kib", .integer(19_456)),
                        .init("p", .integer(1)), .init("t", .integer(2)),
                        .init("salt", .text(String(repeating: "a0", count: 16))),
                    ])),
                .init("sealed", .text(String(repeating: "00", count: 92))),
            ]))
    }

    /// A file of an empty store with these locks.
    private func file(_ locks: [Lock]) throws -> VaultFile {
        let readKey = try Self.readKey()
        let store = try PackedStore(BareStore(layout, cipher: EnvelopeCipher(readKey)))
        let list = LockList(locks: locks, removed: [])
        let vaultID = Array("testvault01".utf8)
        let owner = OwnerKey(try Self.key(), readKey)
        let header = NewHeader(
            vaultID: vaultID, serial: 1, writtenAt: 0, writtenBy: "example 1.0", lockList: list,
            locksCode: owner.code(of: list, vaultID: vaultID))
        var bytes: [UInt8] = []
        try store.write(header: header.seal(store, readKey)) { bytes += Array($0) }
        return try VaultFile(place.write("v.sgvault", bytes))
    }

    private func secret(_ text: String) throws -> [String] {
        ["--secret-file", try place.write("secret", Array(text.utf8))]
    }

    @discardableResult
    private func open(_ locks: [Lock], _ words: [String]) throws -> VaultFile.Verified? {
        try Self.options.open(file(locks), Self.call(words))
    }

    // MARK: - Keys

    @Test func nothingGivenOpensNothing() throws {
        #expect(try open([], []) == nil)
    }

    @Test func aKeyOpensAndProves() throws {
        let vault = try place.write("vault.key", Array(Self.credential.utf8))
        let opened = try #require(try open([], ["--key-file", vault]))
        #expect(opened.locksAreProven)
        #expect(try opened.fingerprint == Self.readKey().fingerprint())
        let digits = try Vectors.document("vault-file").text("read_key")
        let read = try place.write("read.key", Array("\(digits):testvault01".utf8))
        #expect(try open([], ["--key-file", read])?.locksAreProven == false)
    }

    @Test func anotherKeyIsAForeignOne() throws {
        let other = try place.write(
            "other.key", Array("\(String(repeating: "00", count: 32)):testvault01".utf8))
        #expect(throws: VaultFileError.self) { try open([], ["--key-file", other]) }
    }

    // MARK: - Secrets

    @Test func aSecretOpensTheLockOfItsKind() throws {
        let locks = [try Self.lock("A"), try Self.lock("C")]
        #expect(try open(locks, secret(Self.code))?.locksAreProven == true)
        let row = try Vectors.rows("vault-file", "locks", count: 5)[3]
        #expect(try open(locks, secret(row.text("secret")))?.locksAreProven == false)
    }

    @Test func aNamedLockIsTheOnlyOneTried() throws {
        let locks = [try Self.lock("A"), try Self.lock("C")]
        let id = String(decoding: locks[0].id, as: UTF8.self)
        #expect(try open(locks, secret(Self.code) + ["--lock", id]) != nil)
        let other = String(decoding: locks[1].id, as: UTF8.self)
        #expect(throws: (any Error).self) {
            try open(locks, secret(Self.code) + ["--lock", other])
        }
        #expect {
            try open(locks, secret(Self.code) + ["--lock", "ffffffffffffffff"])
        } throws: { error in
            guard case OpeningError.noLock(_, let id) = error else { return false }
            return id == Array("ffffffffffffffff".utf8)
        }
    }

    @Test func aLockWithoutASecretIsRefused() throws {
        #expect {
            try open([Self.lock("A")], ["--lock", "0011223344556677"])
        } throws: { error in
            guard case SecretOptionsError.noSecret = error else { return false }
            return true
        }
        #expect(throws: UsageError.self) { try Self.call(["--lock", "0011"]) }
    }

    @Test func aSecretThatOpensNothingSaysSo() throws {
        let wrong = "VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT"
        // Of the one lock that was tried it says what is wrong with it.
        #expect(throws: LockError.doesNotOpen(id: Array("0011223344556677".utf8))) {
            try open([Self.lock("A")], secret(wrong))
        }
        #expect {
            try open([Self.lock("C")], secret(wrong))
        } throws: { error in
            guard case OpeningError.opensNothing(_, 0) = error else { return false }
            return true
        }
    }

    @Test func aSecretThatOthersCanReadIsRefused() throws {
        let path = try place.write("open", Array(Self.code.utf8), mode: 0o644)
        let locks = [try Self.lock("A")]
        #expect {
            try open(locks, ["--secret-file", path])
        } throws: { error in
            guard case SecretOptionsError.input = error else { return false }
            return true
        }
        #expect(try open(locks, ["--secret-file", path, "--insecure-secret-file"]) != nil)
    }

    // MARK: - Slow locks

    @Test func aQuickLockIsTriedBeforeTheSlowOnes() throws {
        // As a passphrase the code would open none of them, and take its time.
        let locks = (0..<9).map { Self.slow($0) } + [try Self.lock("A")]
        #expect(try open(locks, secret(Self.code)) != nil)
    }

    @Test func fourSlowLocksAreTried() throws {
        #expect {
            try open((0..<4).map { Self.slow($0) }, secret("wrong"))
        } throws: { error in
            guard case OpeningError.opensNothing(_, 4) = error else { return false }
            return true
        }
        #expect {
            try open((0..<7).map { Self.slow($0) }, secret("wrong"))
        } throws: { error in
            guard case OpeningError.notAllTried(_, 3) = error else { return false }
            return true
        }
        #expect(LockBounds.slowTries == 4)
    }

    @Test func aLockThatWasNotTriedOpensByName() throws {
        let passphrase = try #require(
            Hex.decode(try Vectors.rows("vault-file", "locks", count: 5)[1].bytes("typed_utf8")))
        let locks = (0..<4).map { Self.slow($0) } + [try Self.lock("B1")]
        let words = ["--secret-file", try place.write("secret", passphrase + [0x0A])]
        #expect {
            try open(locks, words)
        } throws: { error in
            guard case OpeningError.notAllTried(_, 1) = error else { return false }
            return true
        }
        #expect(try open(locks, words + ["--lock", "8899aabbccddeeff"]) != nil)
    }

    @Test func aLockThatTakesNoTimeIsNoSlowOne() throws {
        // Out of bounds, and of a derivation of a later version: refused before a second is spent.
        let locks = try (0..<4).map { number in
            var document = Self.slow(number).document
            var parameters = try #require(document["params"])
            parameters.set("kdf", .text("later"))
            document.set("params", parameters)
            return Lock(document)
        }
        let passphrase = try #require(
            Hex.decode(try Vectors.rows("vault-file", "locks", count: 5)[1].bytes("typed_utf8")))
        let words = ["--secret-file", try place.write("secret", passphrase)]
        #expect(try open(locks + [Self.lock("B1")], words) != nil)
    }

    // MARK: - Alterations

    @Test func aKeyFromALockTellsAnAlteration() throws {
        let whole = try file([Self.lock("A")])
        var document = try CanonicalJSON.read(whole.header.bytes)
        document.set("vault_id", .text("testvault01"))
        document.set("serial", .integer(2))
        let bytes = CanonicalJSON.encode(document)
        var zip = Array(try Data(contentsOf: URL(fileURLWithPath: whole.path)))
        zip.replaceSubrange(42..<42 + bytes.count, with: bytes)
        // The checksum stands at 14, and in the directory behind the header.
        let checksum = withUnsafeBytes(of: CRC32.checksum(bytes).littleEndian) { Array($0) }
        zip.replaceSubrange(14..<18, with: checksum)
        zip.replaceSubrange(42 + bytes.count + 16..<42 + bytes.count + 20, with: checksum)
        let altered = try VaultFile(place.write("altered", zip))
        let words = try secret(Self.code)
        #expect {
            try Self.options.open(altered, Self.call(words))
        } throws: { error in
            guard case VaultFileError.altered(_, .header) = error else { return false }
            return true
        }
    }
}
