import Cryptography
import Encodings
import Objects
import TestSupport
import Testing

@Suite struct SignatureTests {
    private static func key() throws -> P256.PublicKey {
        try #require(P256.PublicKey(pem: Vectors.document("signature").bytes("public_key_pem")))
    }

    @Test func givesTheVerdictOfEveryCommitOfTheVectors() throws {
        let key = try Self.key()
        for row in try Vectors.rows("signature", "commits", count: 15) {
            let commit = try Commit.decode(row.bytes("stored_json")[...])
            let expected: SignatureVerdict = try row.flag("valid") ? .verified : .bad
            #expect(commit.verdict(with: key) == expected, "\(row)")
            #expect(commit.verdict(with: nil) == .noKey, "\(row)")
        }
    }

    @Test func signsTheExactBytesOfTheVectors() throws {
        for row in try Vectors.rows("signature", "commits", count: 15) {
            let commit = try Commit.decode(row.bytes("stored_json")[...])
            let isLegacy = try row.text("signed_form") == "legacy"
            let bytes = isLegacy ? SigningBytes.legacy(commit) : SigningBytes.canonical(commit)
            // A canonical commit that is not valid was changed after it was signed.
            let isUnchanged = try isLegacy || row.flag("valid")
            #expect((bytes == (try row.hex("signed_bytes_hex"))) == isUnchanged, "\(row)")
        }
    }

    @Test func givesTheVerdictAndBytesOfEveryTagOfTheVectors() throws {
        let key = try Self.key()
        for row in try Vectors.rows("signature", "tags", count: 4) {
            let stored = try row.bytes("stored_json")
            let tag = try Objects.Tag.decode(stored[...])
            #expect(SigningBytes.canonical(tag) == (try row.hex("signed_bytes_hex")), "\(row)")
            #expect(
                tag.verdict(with: key) == ((try row.flag("valid")) ? .verified : .bad), "\(row)")
            #expect(tag.verdict(with: nil) == .noKey)
            #expect(tag.encode() == stored)
        }
    }

    @Test func callsAnObjectWithoutASignatureUnsigned() throws {
        let row = try #require(Vectors.rows("signature", "commits", count: 15).first)
        var commit = try Commit.decode(row.bytes("stored_json")[...])
        for signature in [nil, []] as [[UInt8]?] {
            commit.signature = signature
            #expect(!commit.isSigned)
            #expect(commit.verdict(with: try Self.key()) == .unsigned)
            #expect(commit.verdict(with: nil) == .unsigned)
        }
        let tagRow = try #require(Vectors.rows("signature", "tags", count: 4).first)
        var tag = try Objects.Tag.decode(tagRow.bytes("stored_json")[...])
        tag.signature = nil
        #expect(tag.verdict(with: try Self.key()) == .unsigned)
    }

    @Test func callsASignatureThatIsNoBase64Bad() throws {
        let row = try #require(Vectors.rows("signature", "commits", count: 15).first)
        var commit = try Commit.decode(row.bytes("stored_json")[...])
        for signature in ["****", "AAAA", "AAA"] {
            commit.signature = Array(signature.utf8)
            #expect(commit.verdict(with: try Self.key()) == .bad)
        }
    }

    @Test func callsEveryChangedMemberBad() throws {
        let key = try Self.key()
        let row = try #require(Vectors.rows("signature", "commits", count: 15).first)
        let commit = try Commit.decode(row.bytes("stored_json")[...])
        let other = ObjectID(naming: [9], width: .hex32)
        let changes: [(inout Commit) -> Void] = [
            { $0.tree = other }, { $0.parentItems = [other] }, { $0.parentItems = nil },
            { $0.time = 1 }, { $0.time = nil }, { $0.sealedMessage = Array("AAAA".utf8) },
            { $0.branch = nil }, { $0.authorSignature = [] }, { $0.attestations = nil },
            { $0.attestations = [[]] }, { $0.schema = Array("commit_v2".utf8) },
            { $0.schema = nil },
            { $0.authorKey = Array("key-rnd-imm-0000000000000000".utf8) },
        ]
        #expect(commit.verdict(with: key) == .verified)
        for (number, change) in changes.enumerated() {
            var changed = commit
            change(&changed)
            #expect(changed.verdict(with: key) == .bad, "change \(number)")
        }
    }
}
