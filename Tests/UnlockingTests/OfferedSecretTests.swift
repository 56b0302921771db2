import Encodings
import Foundation
import Locks
import TestSupport
import Testing
import Unlocking

/// What a person offers, and the kinds of lock that it could be for.
@Suite struct OfferedSecretTests {
    private static func offered(_ content: [UInt8]) -> OfferedSecret {
        OfferedSecret(content: TestKeys.secret(content), providers: [])
    }

    private static func kinds(_ text: String) -> [LockKind] {
        offered(Array(text.utf8)).plausibleKinds
    }

    private static func lock(_ kind: String, _ parameters: [JSONValue.Member] = []) -> Lock {
        Lock(
            .object([
                .init("created_at", .text("2026-11-30T12:00:00Z")), .init("grants", .text("vault")),
                .init("id", .text("0011223344556677")), .init("kind", .text(kind)),
                .init("label", .text("")),
                .init(
                    "params",
                    .object(
                        [.init("salt", .text(String(repeating: "a0", count: 16)))] + parameters)),
                .init("sealed", .text(String(repeating: "00", count: 92))),
            ]))
    }

    private static func pem() throws -> String {
        let row = try #require(try Vectors.rows("vault-file", "locks", count: 5).last)
        return try row.text("recipient_private_pem")
    }

    // MARK: - Kinds

    @Test func triesWhatCostsLittleFirst() {
        #expect(
            Self.kinds("000G-40R4-0M30-E209-185G-R38E-1W9D\n") == [.recoveryCode, .passphrase])
        #expect(Self.kinds(String(repeating: "0a", count: 32) + "\n") == [.secret, .passphrase])
        #expect(Self.kinds("correct horse battery\n") == [.passphrase])
    }

    @Test func aCodeOnSeveralLinesIsNoPassphrase() {
        #expect(Self.kinds("000G-40R4-0M30-E209\n185G-R38E-1W9D\n") == [.recoveryCode])
    }

    @Test func aCodeWithAWrongCheckIsNone() {
        #expect(Self.kinds("000G-40R4-0M30-E209-185G-R38E-1W9C") == [.passphrase])
    }

    @Test func bytesThatAreNoTextAreASecret() {
        #expect(Self.offered([UInt8](repeating: 0xFF, count: 32)).plausibleKinds == [.secret])
        #expect(Self.offered([UInt8](repeating: 0xFF, count: 31)).plausibleKinds.isEmpty)
        #expect(Self.offered([]).plausibleKinds.isEmpty)
    }

    @Test func aPrivateKeyIsOneKeyAlone() throws {
        #expect(try Self.kinds(Self.pem()) == [.p256])
    }

    @Test func nothingOfferedFitsNothing() {
        #expect(OfferedSecret(content: nil, providers: []).plausibleKinds.isEmpty)
    }

    // MARK: - Reading for a lock

    @Test func readsAsTheKindAsks() throws {
        let hex = Self.offered(Array((String(repeating: "0a", count: 32) + "\n").utf8))
        guard
            case .secret(let bytes) = try hex.secret(
                for: Self.lock("secret"), vaultID: Array("testvault01".utf8))
        else {
            Issue.record("no secret")
            return
        }
        #expect(TestKeys.bytes(bytes) == [UInt8](repeating: 10, count: 32))
    }

    @Test func tellsWhatIsMissing() {
        let nothing = OfferedSecret(content: nil, providers: [])
        #expect {
            try nothing.secret(for: Self.lock("secret"), vaultID: Array("testvault01".utf8))
        } throws: { error in
            guard case SecretOptionsError.noSecret = error else { return false }
            return true
        }
        let command = Self.lock(
            "command",
            [
                .init("challenge", .text(String(repeating: "00", count: 32))),
                .init("provider", .text("token")),
            ])
        #expect {
            try nothing.secret(for: command, vaultID: Array("abcd1234".utf8))
        } throws: { error in
            guard case SecretOptionsError.noProvider(let name) = error else { return false }
            return name == Array("token".utf8)
        }
    }

    @Test func refusesALockThatCannotBeUsed() {
        #expect {
            try Self.offered([1]).secret(
                for: Self.lock("x-new"), vaultID: Array("testvault01".utf8))
        } throws: { error in
            guard case LockError.unusable(_, let name) = error else { return false }
            return name == Array("x-new".utf8)
        }
    }
}
