import Encodings
import Objects
import TestSupport
import Testing

@Suite struct PrettyLayoutTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private let blob = ForestDrawing().target(.blob("hello"))

    @Test func showsABlobWithItsFacts() {
        let target = TreeTarget.blob(
            blob.id,
            BlobFacts(
                size: 5, contentHash: Array("0123456789ab".utf8),
                mediaType: Array("text/plain".utf8),
                isLarge: false))
        #expect(
            Self.text(
                PrettyLayout.record(target, path: Array("a b".utf8), details: true, names: .quoted))
                == "blob \(blob.id.text) 5 0123456789ab text/plain\ta b")
    }

    @Test func showsWhatThereIsNotAsADash() {
        #expect(
            Self.text(PrettyLayout.record(blob, path: [0x61], details: true, names: .quoted))
                == "blob \(blob.id.text) 5 - -\ta")
        #expect(
            Self.text(
                PrettyLayout.record(.tree(blob.id), path: [0x61], details: true, names: .quoted))
                == "tree \(blob.id.text) - - -\ta")
    }

    @Test func quotesAClaimThatWouldBreakTheRecord() {
        let target = TreeTarget.blob(
            blob.id,
            BlobFacts(
                size: 1, contentHash: Array("a b".utf8), mediaType: Array("x\ny".utf8),
                isLarge: false))
        #expect(
            Self.text(PrettyLayout.record(target, path: [0x61], details: true, names: .quoted))
                == "blob \(blob.id.text) 1 \"a b\" \"x\\ny\"\ta")
    }

    @Test func quotesAPathOnlyInLines() {
        let path = Array("a\tb".utf8)
        #expect(
            Self.text(PrettyLayout.record(blob, path: path, details: false, names: .quoted))
                == "blob \(blob.id.text)\t\"a\\tb\"")
        #expect(
            Self.text(PrettyLayout.record(blob, path: path, details: false, names: .raw))
                == "blob \(blob.id.text)\ta\tb")
    }

    @Test func laysACommitOut() {
        var commit = Commit(tree: ObjectID(naming: [1], width: .hex12))
        let parent = ObjectID(naming: [2], width: .hex32)
        commit.parentItems = [parent, nil]
        commit.branch = []
        commit.authorKey = Array("key-rnd-imm-01234567".utf8)
        commit.time = 5
        #expect(
            Self.text(PrettyLayout.text(of: commit, message: Array("hello".utf8)))
                == "tree \(commit.tree.text)\nparent \(parent.text)\nkey key-rnd-imm-01234567\ntime 5\n\nhello\n"
        )
    }
}

@Suite struct DecodedObjectTests {
    private let cipher = TestKeys.cipher()

    private func guess(_ text: String) -> ObjectKind {
        DecodedObject(guessing: Array(text.utf8)[...], with: cipher).kind
    }

    @Test func guessesTheDocumentsOfTheVectors() throws {
        let vectors = try Vectors.document("json")
        let cipher = TestKeys.cipher(try vectors.hex("read_key"))
        var guessed = 0
        for row in try Vectors.rows(of: vectors, "documents", count: 12) {
            let kind = try row.text("kind").split(separator: " ")[0]
            guard let expected = ObjectKind(rawValue: String(kind)) else { continue }
            let found = DecodedObject(guessing: try row.bytes("plaintext")[...], with: cipher)
            #expect(found.kind == expected, "\(row)")
            guessed += 1
        }
        #expect(guessed == 8)
    }

    @Test(arguments: [
        "", "hello", "{", "{}", "[]", "{\"schema\": \"commit_v1\"}", "{\"schema\": \"tree_v1\"}",
        "{\"schema\": \"blob_v1\"}", "{\"schema\": 1}", "{\"schema\": \"other_v1\"}",
        "{\"schema\": \"commit\"}",
        "{\"schema\": \"tree_v1\", \"entries\": []} x",
    ])
    func takesForABlobWhatReadsAsNothingElse(text: String) {
        #expect(guess(text) == .blob)
    }

    @Test func guessesByTheSchemaAfterOtherMembersAndWhiteSpace() {
        #expect(guess(" \n{\"entries\": [], \"schema\": \"tree_v9\"}") == .tree)
        #expect(
            guess("{\"tree_id\": \"obj-cas-imm-0123456789ab\", \"schema\": \"commit_v2\"}")
                == .commit)
    }
}

@Suite struct ObjectJSONTests {
    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.write(value, .compact), as: UTF8.self)
    }

    @Test func showsABlobAndATree() {
        let id = ObjectID(naming: [1], width: .hex12)
        let facts = BlobFacts(size: 5, contentHash: [], mediaType: Array("t".utf8), isLarge: true)
        #expect(
            Self.text(ObjectJSON.entry(.blob(id, facts), path: Array("a".utf8)))
                == "{\"kind\":\"blob\",\"id\":\"\(id.text)\",\"size\":5,\"content_hash\":null,"
                + "\"media_type\":\"t\",\"large\":true,\"path\":\"a\"}")
        #expect(
            Self.text(ObjectJSON.entry(.tree(id), path: []))
                == "{\"kind\":\"tree\",\"id\":\"\(id.text)\",\"size\":null,\"content_hash\":null,"
                + "\"media_type\":null,\"large\":null,\"path\":\"\"}")
    }

    @Test func showsWhatACommitSays() {
        var commit = Commit(tree: ObjectID(naming: [1], width: .hex12))
        commit.time = 1_700_000_000_123
        commit.branch = []
        #expect(
            Self.text(.object(ObjectJSON.facts(of: commit, message: Array("m".utf8))))
                == "{\"tree\":\"\(commit.tree.text)\",\"parents\":[],\"branch\":null,\"key\":null,"
                + "\"time\":\"2023-11-14T22:13:20.123Z\",\"signature\":null,\"message\":\"m\"}")
    }
}
