import Cryptography
import Encodings
import Locks
import SecretMemory
import TestSupport
import Testing

@Suite struct LockSecretTests {
    private static func passphrase(_ bytes: [UInt8]) throws(PassphraseError) -> [UInt8] {
        TestKeys.bytes(try Passphrase.read(TestKeys.secret(bytes)))
    }

    private static func passphraseError(_ bytes: [UInt8]) -> PassphraseError? {
        do throws(PassphraseError) {
            _ = try passphrase(bytes)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Passphrases

    @Test func composesThePassphraseOfTheVectors() throws {
        let row = try #require(try Vectors.rows("vault-file", "locks", count: 5).dropFirst().first)
        let typed = try row.hex("typed_utf8")
        let composed = try row.hex("nfc_utf8")
        #expect(try Self.passphrase(typed) == composed)
        #expect(try Self.passphrase(typed + [0x0A]) == composed)
        #expect(try Self.passphrase(typed + [0x0D, 0x0A]) == composed)
        #expect(try Self.passphrase(composed) == composed)
    }

    @Test func keepsWhiteSpace() throws {
        #expect(try Self.passphrase(Array("  a b\t".utf8)) == Array("  a b\t".utf8))
    }

    @Test(arguments: ["a\nb", "a\n\n", "a\r", "\r\n\r\n", "a\r\r\n", "\na"])
    func takesOneLine(_ text: String) {
        #expect(Self.passphraseError(Array(text.utf8)) == .severalLines)
    }

    @Test func refusesWhatIsNoText() {
        #expect(Self.passphraseError([0xFF]) == .text(.notUTF8))
        #expect(Self.passphraseError([0x61, 0xC3]) == .text(.notUTF8))
        #expect(Self.passphraseError([0xED, 0xA0, 0x80]) == .text(.notUTF8))
        #expect(Self.passphraseError([0xC0, 0x80]) == .text(.notUTF8))
        // U+0378, which nobody has assigned.
        #expect(Self.passphraseError([0xCD, 0xB8]) == .text(.unassigned))
    }

    @Test func hasBounds() throws {
        #expect(Self.passphraseError([]) == .empty)
        #expect(Self.passphraseError([0x0A]) == .empty)
        #expect(try Self.passphrase([UInt8](repeating: 0x61, count: 1024)).count == 1024)
        #expect(Self.passphraseError([UInt8](repeating: 0x61, count: 1025)) == .tooLong)
        // 3 bytes a letter that composes to 2: what counts is the composed form.
        let decomposed = [UInt8](repeatElement([0x65, 0xCC, 0x81], count: 512).joined())
        #expect(try Self.passphrase(decomposed).count == 1024)
    }

    // MARK: - Secrets

    @Test func readsASecretAsBytesOrAsDigits() {
        let bytes = Array(UInt8(0)..<32)
        let digits = Hex.encode(bytes)
        for content in [bytes, digits, digits + [0x0A], digits + [0x0D, 0x0A]] {
            let secret = LockSecret.readSecret(TestKeys.secret(content))
            #expect(secret.map(TestKeys.bytes) == bytes)
        }
        let upper = digits.map { $0.isLowercase ? $0 - 0x20 : $0 }
        for content in [
            [], bytes + [0x0A], digits + [0x0A, 0x0A], upper, Array(digits.dropLast()),
            [0x20] + digits,
        ] {
            #expect(LockSecret.readSecret(TestKeys.secret(content)) == nil)
        }
    }

    private static func error(_ text: String, _ kind: LockKind) -> LockSecretError? {
        do throws(LockSecretError) {
            _ = try LockSecret.read(TestKeys.secret(text), as: kind)
            return nil
        } catch {
            return error
        }
    }

    @Test func eachKindHasItsForm() {
        #expect(Self.error("x", .recoveryCode) == .noRecoveryCode(.wrongLength(1)))
        #expect(Self.error("", .passphrase) == .noPassphrase(.empty))
        #expect(Self.error("x", .secret) == .noSecret)
        #expect(Self.error("x", .rsaOAEP) == .noRSAKey)
        #expect(Self.error("x", .p256) == .noP256Key)
        #expect(Self.error("x", .command) == .readNowhere(kind: Array("command".utf8)))
        #expect(Self.error("x", .unknown([0x78])) == .readNowhere(kind: [0x78]))
    }
}
