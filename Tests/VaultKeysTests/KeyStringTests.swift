import Encodings
import SecretMemory
import TestSupport
import Testing
import VaultKeys

@Suite struct KeyStringTests {
    private static func parse(_ text: some Collection<UInt8>) throws -> KeyString {
        try KeyString.parse(TestKeys.secret(Array(text)))
    }

    private static let hex = String(repeating: "ab", count: 32)

    // MARK: - The vectors

    @Test func parsesAVaultKeyAsEveryRowOfTheVectorsSays() throws {
        for row in try Vectors.rows("crypto", "key_strings", count: 35) {
            let text = TestKeys.secret(try row.bytes("input"))
            let expected = try row.row("vault_key")
            guard try expected.flag("ok") else {
                #expect(throws: KeyStringError.self, "\(row)") { try KeyString.parseVaultKey(text) }
                continue
            }
            let key = try KeyString.parseVaultKey(text)
            #expect(TestKeys.bytes(key.passphrase) == (try expected.bytes("passphrase")), "\(row)")
            #expect(key.vaultID.bytes == (try expected.bytes("vault_id")), "\(row)")
        }
    }

    @Test func takesOffWhatEveryRowOfTheVectorsSays() throws {
        for row in try Vectors.rows("crypto", "key_strings", count: 35) {
            let input = try row.bytes("input")
            let (declared, body) = input.withUnsafeBytes { KeyString.split($0) }
            #expect(Array(input[body]) == (try row.bytes("stripped")), "\(row)")
            let kind: KeyString.Declared =
                switch try row.text("kind") {
                case "vault": .vaultKey
                case "read-private", "read-public": .readKey
                default: .nothing
                }
            #expect(declared == kind, "\(row)")
        }
    }

    /// What `clone` makes of its argument.
    ///
    /// Two kinds of rows sgit takes here and refuses later; we refuse them at once: a vault key of a
    /// bad form, and a read key whose vault id has none.
    @Test func routesEveryRowOfTheVectorsAsCloneDoes() throws {
        for row in try Vectors.rows("crypto", "key_strings", count: 35) {
            let expected = try row.row("clone_argument")
            let isVaultKey = try row.row("vault_key").flag("ok")
            let found = Result { try Self.parse(row.bytes("input")) }
            let isValidID =
                try expected.optionalBytes("vault_id").map { VaultID($0) != nil } ?? true
            guard try expected.flag("ok"), isValidID, let mode = try? expected.text("mode"),
                mode == "read-only" || isVaultKey
            else {
                #expect(throws: KeyStringError.self, "\(row)") { try found.get() }
                continue
            }
            switch try found.get() {
            case .readKey(let key):
                #expect(mode == "read-only", "\(row)")
                #expect(Hex.encode(TestKeys.bytes(key.secret)) == (try expected.bytes("read_key")))
                #expect(key.vaultID.bytes == (try expected.bytes("vault_id")))
            case .vaultKey(let key):
                #expect(mode == "vault", "\(row)")
                #expect(
                    TestKeys.bytes(key.passphrase) + [0x3A] + key.vaultID.bytes
                        == (try expected.bytes("vault_key")))
            }
        }
    }

    // MARK: - White space

    @Test(arguments: [
        " ", "\t", "\n", "\r\n", "\u{B}", "\u{C}", "\u{1C}", "\u{1D}", "\u{1E}", "\u{1F}", "\u{85}",
        "\u{A0}", "\u{1680}", "\u{2000}", "\u{200A}", "\u{2028}", "\u{2029}", "\u{202F}",
        "\u{205F}",
        "\u{3000}", " \u{3000}\t",
    ])
    func takesWhiteSpaceOffBothEnds(space: String) throws {
        let key = try KeyString.parseVaultKey(
            TestKeys.secret(space + "pass:abcd1234" + space))
        #expect(TestKeys.bytes(key.passphrase) == Array("pass".utf8))
        #expect(key.vaultID.text == "abcd1234")
    }

    @Test(arguments: ["\u{200B}", "\u{FEFF}", "\u{180E}", "\u{2060}", "\u{0}", "\u{1B}", "\u{E9}"])
    func keepsWhatPythonDoesNotStrip(character: String) throws {
        let key = try KeyString.parseVaultKey(TestKeys.secret(character + "pass:abcd1234"))
        #expect(TestKeys.bytes(key.passphrase) == Array((character + "pass").utf8))
    }

    @Test(
        arguments: [[0x80, 0x60], [0xC2, 0x05], [0xE2, 0x00, 0x0A], [0x80, 0x8A]] as [[UInt8]])
    func takesNoBrokenUTF8ForWhiteSpace(bytes: [UInt8]) {
        #expect(throws: KeyStringError.malformed) {
            try KeyString.parseVaultKey(TestKeys.secret(bytes + Array("pass:abcd1234".utf8)))
        }
    }

    @Test func readsAPassphraseOfHexDigitsWithALongTailBeforeTheLastColon() throws {
        let passphrase =
            String(repeating: "ab", count: 32) + ":" + String(repeating: "a", count: 64)
        guard
            case .vaultKey(let key) = try KeyString.parse(TestKeys.secret(passphrase + ":abcd1234"))
        else {
            Issue.record("a second colon in the tail makes it a vault key")
            return
        }
        #expect(TestKeys.bytes(key.passphrase) == Array(passphrase.utf8))
    }

    @Test func trimsNothingAfterThePrefix() throws {
        let key = try KeyString.parseVaultKey(TestKeys.secret("sgit_vk1_ pass :abcd1234"))
        #expect(TestKeys.bytes(key.passphrase) == Array(" pass ".utf8))
    }

    @Test func refusesOnlyWhiteSpace() {
        #expect(throws: KeyStringError.malformed) { try Self.parse(" \n\u{3000}".utf8) }
    }

    // MARK: - Kinds

    @Test(arguments: ["", "sgit_private_read_", "sgit_public_read_", "sgit_rk1_"])
    func takesSixtyFourDigitsForAReadKey(prefix: String) throws {
        guard case .readKey(let key) = try Self.parse((prefix + Self.hex + ":abcd1234").utf8) else {
            Issue.record("a vault key")
            return
        }
        #expect(TestKeys.bytes(key.secret) == [UInt8](repeating: 0xAB, count: 32))
    }

    @Test(arguments: ["sgit_private_vault_", "sgit_vk1_"])
    func takesSixtyFourDigitsForAPassphraseWhereThePrefixSaysSo(prefix: String) throws {
        guard case .vaultKey(let key) = try Self.parse((prefix + Self.hex + ":abcd1234").utf8)
        else {
            Issue.record("a read key")
            return
        }
        #expect(TestKeys.bytes(key.passphrase) == Array(Self.hex.utf8))
    }

    @Test(arguments: ["sgit_private_read_", "sgit_public_read_", "sgit_rk1_"])
    func refusesAPassphraseWhereThePrefixSaysReadKey(prefix: String) {
        #expect(throws: KeyStringError.notAReadKey) {
            try Self.parse((prefix + "pass:abcd1234").utf8)
        }
        #expect(throws: KeyStringError.notAReadKey) { try Self.parse((prefix + Self.hex).utf8) }
    }

    @Test(arguments: ["ABCD", "my-vault_1", "abc"])
    func refusesAReadKeyWithABadVaultID(vault: String) {
        #expect(throws: KeyStringError.badVaultID) { try Self.parse((Self.hex + ":" + vault).utf8) }
    }

    @Test func takesUpperCaseDigitsForAPassphrase() throws {
        guard case .vaultKey = try Self.parse((Self.hex.uppercased() + ":abcd1234").utf8) else {
            Issue.record("a read key")
            return
        }
    }

    @Test func keepsTheSpellingsOfAPassphraseApart() throws {
        let composed = try KeyString.parseVaultKey(TestKeys.secret("\u{E9}:abcd1234"))
        let decomposed = try KeyString.parseVaultKey(TestKeys.secret("e\u{301}:abcd1234"))
        #expect(TestKeys.bytes(composed.passphrase) == [0xC3, 0xA9])
        #expect(TestKeys.bytes(decomposed.passphrase) == [0x65, 0xCC, 0x81])
    }

    @Test func refusesBytesThatAreNoText() {
        #expect(throws: KeyStringError.self) {
            try Self.parse([0xFF, 0x3A] + Array("abcd1234".utf8))
        }
        #expect(throws: KeyStringError.self) { try Self.parse(Array("pass:abcd".utf8) + [0xC3]) }
        #expect(throws: KeyStringError.self) { try Self.parse([0x80]) }
    }

    @Test func answersOrThrowsForRandomBytes() {
        var numbers = SeededNumbers()
        let pieces = [
            "sgit_private_vault_", "sgit_private_read_", "sgit_rk1_", Self.hex, ":", "abcd1234",
            " ",
            "\u{3000}", "pass", "\u{2028}",
        ].map { Array($0.utf8) }
        for _ in 0..<5000 {
            var text: [UInt8] = []
            for _ in 0..<numbers.below(6) {
                text +=
                    numbers.below(5) == 0 ? numbers.bytes(2) : pieces[numbers.below(pieces.count)]
            }
            guard let key = try? Self.parse(text) else { continue }
            switch key {
            case .readKey(let key): #expect(key.secret.count == 32, "seed \(numbers.seed)")
            case .vaultKey(let key): #expect(key.passphrase.count > 0, "seed \(numbers.seed)")
            }
        }
    }
}

@Suite struct VaultIDTests {
    @Test(arguments: ["abcd", "0000", "a1b2c3d4", "abcdefghijklmnopqrstuvwx"])
    func takesFourToTwentyFourLowerCaseLettersAndDigits(text: String) {
        #expect(VaultID(Array(text.utf8))?.text == text)
    }

    @Test(arguments: [
        "", "abc", "abcdefghijklmnopqrstuvwxy", "ABCD", "abcD", "ab-cd", "ab_cd", "ab cd", "abcd\n",
        "ab\u{E9}d", "abcd\u{0}",
    ])
    func refusesAnyOtherText(text: String) {
        #expect(VaultID(Array(text.utf8)) == nil)
    }
}
