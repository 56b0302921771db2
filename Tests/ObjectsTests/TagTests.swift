import Objects
import TestSupport
import Testing

private let treeID = "obj-cas-imm-0123456789ab"

@Suite struct TagTests {
    private static let smallest = "{\"name\": \"v1.0\", \"commit_id\": \"\(treeID)\"}"

    private static func decode(_ text: String) throws -> Objects.Tag {
        try Objects.Tag.decode(Array(text.utf8)[...])
    }

    private static func decode(with member: String) throws -> Objects.Tag {
        try decode("{\"name\": \"v1.0\", \"commit_id\": \"\(treeID)\", \(member)}")
    }

    @Test func readsTheSmallestTag() throws {
        let tag = try Self.decode(Self.smallest)
        #expect(tag.name.bytes == Array("v1.0".utf8) && tag.commit.text == treeID)
        #expect(tag.time == 0 && tag.message.isEmpty && tag.signature == nil && tag.key == nil)
    }

    @Test(arguments: [
        "{}", "[]", "1", "{\"name\": \"v1\"}", "{\"commit_id\": \"\(treeID)\"}",
        "{\"name\": null, \"commit_id\": \"\(treeID)\"}",
        "{\"name\": \"a b\", \"commit_id\": \"\(treeID)\"}",
        "{\"name\": \"v1\", \"commit_id\": \"x\"}", "{\"name\": \"v1\", \"commit_id\": null}",
        "{\"name\": 1, \"commit_id\": \"\(treeID)\"}",
    ])
    func refusesATagWithoutNameOrCommit(text: String) {
        #expect(throws: (any Error).self) { try Self.decode(text) }
    }

    @Test(arguments: [
        "\"timestamp_ms\": -1", "\"timestamp_ms\": 100000000000000", "\"timestamp_ms\": true",
    ])
    func refusesATimeOfABadForm(member: String) {
        #expect(throws: DocumentError.badMember("timestamp_ms")) { try Self.decode(with: member) }
    }

    @Test func takesTabsAndLineEndsInAMessage() throws {
        #expect(
            try Self.decode(with: #""message": "a\tb\nc\rd""#).message == Array("a\tb\nc\rd".utf8))
    }

    @Test(arguments: [#"\u0000"#, #"\u0007"#, #"\u001b"#, #"\u007f"#, #"\u000b"#])
    func refusesOtherControlCharactersInAMessage(character: String) {
        #expect(throws: DocumentError.badMember("message")) {
            try Self.decode(with: "\"message\": \"a\(character)b\"")
        }
    }

    @Test func boundsAMessageInCharacters() throws {
        func tag(_ count: Int) throws -> Objects.Tag {
            try Self.decode(with: "\"message\": \"\(String(repeating: "\u{E9}", count: count))\"")
        }
        #expect(try tag(4096).message.count == 8192)
        #expect(throws: DocumentError.badMember("message")) { try tag(4097) }
    }

    @Test func refusesAMemberThatIsNoText() {
        for name in ["message", "tagger_branch", "tagger_key_id", "signature", "schema"] {
            #expect(throws: DocumentError.self) { try Self.decode(with: "\"\(name)\": 1") }
        }
    }
}
