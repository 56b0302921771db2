import Cryptography
import Encodings
import Objects
import Store
import TestSupport
import Testing

/// The rows of `json.json`: exact stored text of each kind of document, sealed.
@Suite struct DocumentVectorTests {
    private let vectors: Row
    private let cipher: EnvelopeCipher

    init() throws {
        vectors = try Vectors.document("json")
        cipher = TestKeys.cipher(try vectors.hex("read_key"))
    }

    private func rows() throws -> [Row] { try Vectors.rows(of: vectors, "documents", count: 12) }

    @Test func writesTheExactTextOfEveryDocument() throws {
        var kinds: Set<String> = []
        for row in try rows() {
            let text = try row.bytes("plaintext")
            let kind = String(try row.text("kind").split(separator: " ")[0])
            kinds.insert(kind)
            let written: [UInt8]
            switch kind {
            case "blob": written = text
            case "tree":
                written = try Tree.decode(text[...], with: cipher).encode(with: cipher)
            case "commit": written = try Commit.decode(text[...]).encode()
            case "tag": written = try Objects.Tag.decode(text[...]).encode()
            case "ref": written = Refs.encode(try #require(try Refs.decode(text[...])))
            case "public": written = PublicKeys.encode(pem: try PublicKeys.decode(text[...]))
            case "branch":
                written = JSONWriter.write(try BranchIndex.decode(text[...]).document, .stored)
            default:
                Issue.record("a document of another kind: \(kind)")
                continue
            }
            #expect(written == text, "\(row)")
        }
        #expect(kinds == ["blob", "tree", "commit", "tag", "ref", "public", "branch"])
    }

    @Test func sealsEveryDocumentToTheExactEnvelope() throws {
        let nonce = try vectors.hex("fixed_iv")
        for row in try rows() {
            let text = try row.bytes("plaintext")
            #expect(Hex.encode(SHA256.digest(text).bytes) == (try row.bytes("plaintext_sha256")))
            let envelope =
                switch try row.text("iv_mode") {
                case "deterministic": cipher.sealDeterministically(text)
                default: cipher.seal(text, nonce: nonce)
                }
            #expect(envelope == (try row.hex("envelope_hex")), "\(row)")
            #expect(Array(try cipher.open(envelope, limit: 1 << 20)) == text)
        }
    }

    @Test func namesEveryObjectAtBothWidths() throws {
        var named = 0
        for row in try rows() {
            guard let short = try row.optionalBytes("id12") else { continue }
            let envelope = try row.hex("envelope_hex")
            #expect(ObjectID(naming: envelope, width: .hex12).bytes == short)
            #expect(ObjectID(naming: envelope, width: .hex32).bytes == (try row.bytes("id32")))
            named += 1
        }
        #expect(named == 8)
    }

    @Test func rebuildsEveryTreeFromItsEntries() throws {
        for row in try Vectors.rows(of: vectors, "trees", count: 2) {
            let entries = try row.rows("entries").map { entry in
                let name = try #require(EntryName(try entry.bytes("name")))
                if let tree = try entry.optionalBytes("tree_id") {
                    return TreeEntry(name: name, target: .tree(try #require(ObjectID(tree))))
                }
                let facts = BlobFacts(
                    size: try entry.integer("size"), contentHash: try entry.bytes("content_hash"),
                    mediaType: try entry.bytes("content_type"), isLarge: false)
                let id = try #require(ObjectID(try entry.bytes("blob_id")))
                return TreeEntry(name: name, target: .blob(id, facts))
            }
            let envelope = cipher.sealDeterministically(Tree(entries: entries).encode(with: cipher))
            #expect(ObjectID(naming: envelope, width: .hex12).bytes == (try row.bytes("id12")))
        }
    }
}

@Suite struct RefTests {
    private static func decode(_ text: String) throws -> ObjectID? {
        try Refs.decode(Array(text.utf8)[...])
    }

    @Test func readsAHeadAndIgnoresOtherMembers() throws {
        let text = "{\"x\": [1], \"commit_id\": \"obj-cas-imm-0123456789ab\", \"y\": null}"
        #expect(try Self.decode(text)?.text == "obj-cas-imm-0123456789ab")
    }

    @Test func trimsAndLowersItsHead() throws {
        #expect(
            try Self.decode("{\"commit_id\": \" OBJ-CAS-IMM-0123456789AB \"}")?.text
                == "obj-cas-imm-0123456789ab")
    }

    @Test(arguments: ["{}", "{\"commit_id\": null}", "{\"commit_id\": \"\"}", "{\"x\": 1}"])
    func readsABranchWithoutACommit(text: String) throws {
        #expect(try Self.decode(text) == nil)
    }

    @Test(arguments: [
        "", "obj-cas-imm-0123456789ab", "[]", "null", "\"obj-cas-imm-0123456789ab\"",
        "{\"commit_id\": 1}",
        "{\"commit_id\": \"x\"}", "{\"commit_id\": \"obj-cas-imm-0123\"}", "{\"commit_id\": []}",
        "{\"commit_id\": \"obj-cas-imm-0123456789ab\"} x",
    ])
    func refusesWhatIsNoRef(text: String) {
        #expect(throws: (any Error).self) { try Self.decode(text) }
    }

    @Test func writesTheExactText() throws {
        let id = try #require(ObjectID(Array("obj-cas-imm-0123456789ab".utf8)))
        #expect(Refs.encode(id) == Array("{\"commit_id\": \"obj-cas-imm-0123456789ab\"}".utf8))
        #expect(TestKeys.cipher().seal(Refs.encode(id), nonce: anyNonce).count == 69)
    }
}

@Suite struct PublicKeyDocumentTests {
    private static func decode(_ text: String) throws -> [UInt8] {
        try PublicKeys.decode(Array(text.utf8)[...])
    }

    @Test(arguments: ["", "\"type\": \"public\", ", "\"type\": null, ", "\"x\": 1, "])
    func readsAPEMWithOrWithoutItsType(member: String) throws {
        #expect(try Self.decode("{\(member)\"pem\": \"P\"}") == Array("P".utf8))
    }

    @Test(arguments: [
        "{}", "{\"type\": \"public\"}", "{\"pem\": null}", "{\"pem\": 1}", "[]", "\"P\"", "",
        "{\"type\": \"private\", \"pem\": \"P\"}", "{\"type\": 1, \"pem\": \"P\"}",
    ])
    func refusesWhatIsNoKey(text: String) {
        #expect(throws: (any Error).self) { try Self.decode(text) }
    }
}
