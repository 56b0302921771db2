import CommandInterface
import Objects
import Plumbing
import TestSupport
import Testing

/// The texts of a person that are to be written: paths, messages, times.
@Suite struct NewTextTests {
    private static func names(_ path: [UInt8]) -> [String]? {
        (try? VaultPath.new(path))?.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static func names(_ path: String) -> [String]? { names(Array(path.utf8)) }

    // MARK: - Paths

    @Test func takesThePathsOfTheVectorsThatMayBeWritten() throws {
        var taken = 0
        for row in try Vectors.rows("crypto", "path_guard", count: 81) {
            let path = try row.bytes("path")
            let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            // What is more than the guard asks: names, and such as every system can check out.
            let isPath =
                !parts.contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.count > 255 }
                && !path.contains { $0 < 0x20 || $0 == 0x7F }
            let expected = try row.flag("writable") && isPath
            #expect((Self.names(path) != nil) == expected, "\(row)")
            if expected { taken += 1 }
        }
        #expect(taken > 10)
    }

    @Test(arguments: [
        ("a", ["a"]), ("a/b/c.txt", ["a", "b", "c.txt"]), (" a", [" a"]), ("a b", ["a b"]),
        ("...", ["..."]), (".a", [".a"]), ("a./b", ["a.", "b"]), ("-", ["-"]),
        ("a\"b", ["a\"b"]), ("\u{85}", nil), ("e\u{301}", ["e\u{301}"]), ("~", ["~"]),
    ])
    func partsAPathAtItsSlashes(text: String, names: [String]?) {
        #expect(Self.names(text)?.map { Array($0.utf8) } == names?.map { Array($0.utf8) })
    }

    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", ".", "./a", "a/.", "a/./b", "..", "a/..", "a/../b", " ",
        "\\a", "a\\..\\b", ".git", "a/.git/b", ".sg_vault", ".GIT/x", "a\tb", "a\nb", "a\u{1B}b",
        "a\u{7F}", "a\0b",
    ])
    func refusesAPathThatMayNotBeWritten(text: String) {
        #expect(throws: UsageError.self) { try VaultPath.new(Array(text.utf8)) }
    }

    @Test func refusesAPathThatIsNoText() {
        for path in [[0xFF], [0x61, 0x2F, 0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            #expect(throws: UsageError.self) { try VaultPath.new(path) }
        }
    }

    @Test func boundsTheNamesOfAPathInBytes() {
        let longest = String(repeating: "n", count: 255)
        #expect(Self.names("a/\(longest)/b") == ["a", longest, "b"])
        #expect(Self.names("a/\(longest)n/b") == nil)
        let accents = String(repeating: "\u{E9}", count: 127)
        #expect(Self.names(accents) != nil && Self.names(accents + "\u{E9}") == nil)
    }

    @Test func findsAnExistingPathWhateverItIsCalled() {
        func names(_ text: String) -> [String]? {
            VaultPath.existing(Array(text.utf8))?.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(names(".git/config") == [".git", "config"])
        #expect(names("./a") == [".", "a"] && names("../a") == ["..", "a"])
        #expect(names("a\tb") == ["a\tb"] && names("a/b/") == ["a", "b"])
        for text in ["", "/", "/a", "a//", "a//b", "a\0b"] {
            #expect(names(text) == nil, "\(text)")
        }
        #expect(VaultPath.existing([0xFF]) == nil)
    }

    // MARK: - Messages

    private static func message(_ text: [UInt8]) -> [UInt8]? { try? CommitMessage(text).text }

    @Test func takesAMessageThatItsFieldHasRoomFor() {
        for text in ["", "x", "two\nlines\n", "\u{E9}\u{1F680}", "\t\u{1}"] {
            #expect(Self.message(Array(text.utf8)) == Array(text.utf8))
        }
        let longest = [UInt8](repeating: 0x61, count: 740)
        #expect(Self.message(longest) == longest)
        #expect(Self.message(longest + [0x61]) == nil)
        let accents = Array(String(repeating: "\u{E9}", count: 370).utf8)
        #expect(Self.message(accents) == accents && Self.message(accents + accents) == nil)
        #expect(TestKeys.cipher().sealField(longest, nonce: anyNonce).count == 1024)
    }

    @Test(arguments: [[0xFF], [0x61, 0xC3], [0x61, 0x00], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func refusesAMessageThatIsNoText(text: [UInt8]) {
        #expect(throws: UsageError("the message is not UTF-8 text")) { try CommitMessage(text) }
    }

    @Test func saysHowLongAMessageCanBe() {
        #expect(throws: UsageError("the message has 741 bytes; it can have 740")) {
            try CommitMessage([UInt8](repeating: 0x61, count: 741))
        }
    }

    // MARK: - Times

    @Test(arguments: [
        ("0", 0), ("5", 5), ("007", 7), ("99999999999999", 99_999_999_999_999),
        ("100000000000000", nil), ("99999999999999999999999", nil), ("-1", nil), ("+1", nil),
        ("", nil), (" 1", nil), ("1.5", nil), ("1e3", nil), ("now", nil),
        ("1970-01-01T00:00:01Z", 1000), ("2026-11-30T20:43:35.123+01:00", 1_796_067_815_123),
        ("1969-12-31T00:00:00Z", nil),
    ])
    func readsATimeInMillisecondsOrWords(text: String, milliseconds: Int?) {
        #expect(CommitTime.parse(Array(text.utf8)) == milliseconds)
    }
}
