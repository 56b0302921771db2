import Encodings
import Objects
import TestSupport
import Testing

private let treeID = "obj-cas-imm-0123456789ab"

@Suite struct CommitTests {
    private static func decode(_ text: String) throws -> Commit {
        try Commit.decode(Array(text.utf8)[...])
    }

    /// A commit with one more member.
    private static func decode(with member: String) throws -> Commit {
        try decode("{\"tree_id\": \"\(treeID)\", \(member)}")
    }

    private static func id(_ text: String) throws -> ObjectID {
        try #require(ObjectID(Array(text.utf8)))
    }

    // MARK: - What is needed

    @Test func readsTheSmallestCommit() throws {
        let commit = try Self.decode("{\"tree_id\": \"\(treeID)\"}")
        #expect(commit.tree.text == treeID)
        #expect(commit.parents.isEmpty && commit.time == 0 && commit.attestations == [])
        #expect(commit.schema == nil && commit.sealedMessage == nil && commit.branch == nil)
        #expect(commit.signature == nil && commit.authorKey == nil && commit.authorSignature == nil)
        #expect(!commit.isSigned)
    }

    @Test(arguments: [
        "{}", "{\"tree_id\": null}", "{\"tree_id\": \"\"}", "{\"schema\": \"commit_v1\"}",
    ])
    func refusesACommitWithoutATree(text: String) {
        #expect(throws: DocumentError.missingMember("tree_id")) { try Self.decode(text) }
    }

    @Test(arguments: [
        "\"x\"", "\"obj-cas-imm-0123\"", "1", "[]", "{}", "true", "\"obj-cas-imm-0123456789ag\"",
    ])
    func refusesATreeOfABadForm(value: String) {
        #expect(throws: DocumentError.badMember("tree_id")) {
            try Self.decode("{\"tree_id\": \(value)}")
        }
    }

    @Test(arguments: [
        "", "null", "[]", "\"x\"", "1", "{\"tree_id\": \"\(treeID)\"} x", "{", "{\"tree_id\"",
    ])
    func refusesWhatIsNoObject(text: String) {
        #expect(throws: (any Error).self) { try Self.decode(text) }
    }

    @Test func takesTheLastOfTwoMembers() throws {
        let other = "obj-cas-imm-ffffffffffff"
        #expect(try Self.decode(with: "\"tree_id\": \"\(other)\"").tree.text == other)
        #expect(throws: DocumentError.self) { try Self.decode(with: "\"tree_id\": null") }
        #expect(try Self.decode(with: "\"timestamp_ms\": 1, \"timestamp_ms\": 2").time == 2)
    }

    @Test func ignoresUnknownMembersAndTheirOrder() throws {
        let commit = try Self.decode(
            "{\"x\": {\"y\": [1]}, \"timestamp_ms\": 5, \"tree_id\": \"\(treeID)\", \"z\": null}")
        #expect(commit.time == 5 && commit.tree.text == treeID)
    }

    // MARK: - Ids

    @Test func trimsAndLowersItsIDs() throws {
        let commit = try Self.decode(
            "{\"tree_id\": \" OBJ-CAS-IMM-0123456789AB\\n\", \"parents\": [\"\\tobj-cas-imm-AAAAAAAAAAAA \"]}"
        )
        #expect(commit.tree.text == treeID)
        #expect(commit.parents == [try Self.id("obj-cas-imm-aaaaaaaaaaaa")])
    }

    @Test func readsParentsOfBothWidthsInStoredOrder() throws {
        let parents = [
            "obj-cas-imm-00112233445566778899aabbccddeeff", "obj-cas-imm-bbbbbbbbbbbb", treeID,
        ]
        let commit = try Self.decode(
            with: "\"parents\": [\(parents.map { "\"\($0)\"" }.joined(separator: ", "))]")
        #expect(commit.parents.map(\.text) == parents)
    }

    @Test(arguments: ["null", "[]", "[null]", "[\"\"]", "[null, \"\", null]", "[\" \"]"])
    func readsNoParentsFromNullAndEmptyItems(value: String) throws {
        #expect(try Self.decode(with: "\"parents\": \(value)").parents.isEmpty)
    }

    @Test func passesOverEmptyItemsAmongParents() throws {
        let commit = try Self.decode(
            with: "\"parents\": [null, \"obj-cas-imm-aaaaaaaaaaaa\", \"\"]")
        #expect(commit.parents.map(\.text) == ["obj-cas-imm-aaaaaaaaaaaa"])
    }

    @Test(arguments: [
        "\"\(treeID)\"", "{}", "1", "[1]", "[[]]", "[\"x\"]", "[\"obj-cas-imm-0123\"]",
    ])
    func refusesParentsOfABadForm(value: String) {
        #expect(throws: DocumentError.badMember("parents")) {
            try Self.decode(with: "\"parents\": \(value)")
        }
    }

    @Test func readsABranchOutsideTheGrammarAsEmpty() throws {
        #expect(try Self.decode(with: "\"branch_id\": \"web-ui\"").branch == [])
        #expect(try Self.decode(with: "\"branch_id\": \"\"").branch == [])
        #expect(try Self.decode(with: "\"branch_id\": null").branch == nil)
        #expect(
            try Self.decode(with: "\"branch_id\": \" BRANCH-CLONE-0123456789ABCDEF\"").branch
                == Array("branch-clone-0123456789abcdef".utf8))
    }

    // MARK: - Time

    @Test(arguments: [
        ("0", 0), ("1700000000123", 1_700_000_000_123), ("99999999999999", 99_999_999_999_999),
        ("\"1700000000123\"", 1_700_000_000_123), ("\"0\"", 0),
    ])
    func readsATimeAsANumberOrAsDigits(value: String, time: Int) throws {
        #expect(try Self.decode(with: "\"timestamp_ms\": \(value)").time == time)
    }

    @Test(arguments: [
        "-1", "100000000000000", "\"100000000000000\"", "1.5", "1e3", "\"\"", "\"x\"", "\"-1\"",
        "true", "[]",
        "{}", "99999999999999999999999999", "\"1.0\"",
    ])
    func refusesATimeOfABadForm(value: String) {
        #expect(throws: DocumentError.badMember("timestamp_ms")) {
            try Self.decode(with: "\"timestamp_ms\": \(value)")
        }
    }

    @Test func toleratesATimeOfNull() throws {
        #expect(try Self.decode(with: "\"timestamp_ms\": null").time == nil)
    }

    // MARK: - Other members

    @Test(arguments: ["commit_v1", "commit_v2", "tree_v1", "x_v0"])
    func toleratesEverySchemaOfTheForm(schema: String) throws {
        #expect(try Self.decode(with: "\"schema\": \"\(schema)\"").schema == Array(schema.utf8))
    }

    @Test(arguments: ["\"commit\"", "\"Commit_v1\"", "\"commit_v\"", "\"\"", "1", "[]"])
    func refusesASchemaOfABadForm(value: String) {
        #expect(throws: DocumentError.badMember("schema")) {
            try Self.decode(with: "\"schema\": \(value)")
        }
    }

    @Test(arguments: [
        ("message_enc", 1024), ("signature", 256), ("author_signature", 256),
        ("author_key_id", 128),
    ])
    func boundsTheLengthOfAMember(name: String, limit: Int) throws {
        func commit(_ count: Int) throws -> Commit {
            try Self.decode(with: "\"\(name)\": \"\(String(repeating: "A", count: count))\"")
        }
        _ = try commit(limit)
        #expect(throws: DocumentError.self) { try commit(limit + 1) }
    }

    @Test(arguments: ["message_enc", "signature", "author_signature", "author_key_id", "branch_id"])
    func refusesAMemberThatIsNoText(name: String) throws {
        for value in ["1", "[]", "{}", "true"] {
            #expect(throws: DocumentError.self) { try Self.decode(with: "\"\(name)\": \(value)") }
        }
        _ = try Self.decode(with: "\"\(name)\": null")
    }

    @Test(arguments: ["a b", "a/b", "\u{E9}", "a\\n", "a.b"])
    func refusesAKeyOutsideItsAlphabet(key: String) {
        #expect(throws: DocumentError.badMember("author_key_id")) {
            try Self.decode(with: "\"author_key_id\": \"\(key)\"")
        }
    }

    @Test func readsAKeyOfItsAlphabet() throws {
        #expect(
            try Self.decode(with: "\"author_key_id\": \"azAZ09:_-\"").authorKey
                == Array("azAZ09:_-".utf8))
    }

    @Test func readsAttestationsAndRefusesOthers() throws {
        #expect(
            try Self.decode(with: "\"attestations\": [\"AA\", \"BB\"]").attestations
                == [Array("AA".utf8), Array("BB".utf8)])
        #expect(try Self.decode(with: "\"attestations\": null").attestations == nil)
        for value in ["\"AA\"", "[1]", "{}"] {
            #expect(throws: DocumentError.badMember("attestations")) {
                try Self.decode(with: "\"attestations\": \(value)")
            }
        }
    }

    // MARK: - Message

    @Test func opensItsMessage() throws {
        let cipher = TestKeys.cipher()
        var commit = Commit(tree: try Self.id(treeID))
        #expect(try commit.message(with: cipher).isEmpty)
        commit.sealedMessage = []
        #expect(try commit.message(with: cipher).isEmpty)
        let text = Array("\u{E9}\n\u{1F680}".utf8)
        commit.sealedMessage = Base64.encode(cipher.seal(text, nonce: anyNonce))
        #expect(try commit.message(with: cipher) == text)
    }

    @Test func refusesAMessageThatDoesNotOpen() throws {
        let cipher = TestKeys.cipher()
        var commit = Commit(tree: try Self.id(treeID))
        commit.sealedMessage = Base64.encode(cipher.seal([1], nonce: anyNonce).reversed())
        #expect(throws: DocumentError.sealedMember("message_enc", .notAuthentic)) {
            try commit.message(with: cipher)
        }
        commit.sealedMessage = Array("AAAA".utf8)
        #expect(throws: DocumentError.sealedMember("message_enc", .truncated)) {
            try commit.message(with: cipher)
        }
        commit.sealedMessage = Array("no base64".utf8)
        #expect(throws: DocumentError.sealedMember("message_enc", .badField)) {
            try commit.message(with: cipher)
        }
        commit.sealedMessage = Base64.encode(cipher.seal([0xFF], nonce: anyNonce))
        #expect(throws: DocumentError.badMember("message_enc")) { try commit.message(with: cipher) }
    }

    @Test func answersOrThrowsForBrokenCommits() throws {
        var numbers = SeededNumbers()
        let row = try #require(Vectors.rows("signature", "commits", count: 15).first)
        let stored = try row.bytes("stored_json")
        for _ in 0..<3000 {
            var broken = stored
            for _ in 0..<1 + numbers.below(3) {
                broken[numbers.below(broken.count)] = UInt8(truncatingIfNeeded: numbers.next())
            }
            guard let commit = try? Commit.decode(broken[...]) else { continue }
            // What was read is written in a form that reads as the same.
            #expect(try Commit.decode(commit.encode()[...]) == commit, "seed \(numbers.seed)")
        }
    }
}
