import Encodings
import Objects
import TestSupport
import Testing

private let blobText = "obj-cas-imm-aaaaaaaaaaaa"
private let treeText = "obj-cas-imm-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

@Suite struct TreeRecordTests {
    private static func record(
        _ text: String, names: PrettyLayout.Names = .quoted
    ) throws(TreeRecordError) -> TreeRecord {
        try TreeRecord(Array(text.utf8), names: names)
    }

    // MARK: - What is printed is read back

    /// Text of a few pieces that records could stumble over.
    private static func text(_ numbers: inout SeededNumbers) -> [UInt8] {
        let pieces = [
            "a", "B", " ", "\t", "\n", "\"", "\\", "\u{E9}", "\u{1F680}", "-", ".", "~", "\u{7F}",
            "\\n", "\"x\"", "%", "\u{1}",
        ]
        return (0...numbers.below(6)).flatMap { _ in
            Array(pieces[numbers.below(pieces.count)].utf8)
        }
    }

    private static func target(_ numbers: inout SeededNumbers) -> TreeTarget {
        let width: ObjectID.Width = numbers.below(2) == 0 ? .hex12 : .hex32
        let id = ObjectID(naming: numbers.bytes(8), width: width)
        guard numbers.below(3) > 0 else { return .tree(id) }
        let size = numbers.below(3) == 0 ? 0 : Int(numbers.next() >> 1)
        // What is "-" alone reads as nothing.
        let texts = [text(&numbers), text(&numbers)].map { text -> [UInt8] in
            text == [UInt8(ascii: "-")] || numbers.below(4) == 0 ? [] : text
        }
        return .blob(
            id, BlobFacts(size: size, contentHash: texts[0], mediaType: texts[1], isLarge: false))
    }

    @Test(arguments: [PrettyLayout.Names.quoted, .raw], [true, false])
    func readsEveryRecordThatIsPrinted(names: PrettyLayout.Names, details: Bool) throws {
        var numbers = SeededNumbers()
        var read = 0
        while read < 600 {
            let (name, target) = (Self.text(&numbers), Self.target(&numbers))
            guard PathGuard.isWritable(name),
                ![".", ".."].contains(String(decoding: name, as: UTF8.self))
            else { continue }
            let line = PrettyLayout.record(target, path: name, details: details, names: names)
            let record = try TreeRecord(line, names: names)
            #expect(record.kind == target.kind && record.id == target.id)
            #expect(record.name.bytes == name, "seed \(numbers.seed)")
            if details, case .blob(_, let facts) = target {
                #expect(record.facts == facts, "seed \(numbers.seed)")
            } else {
                #expect(record.facts == nil, "seed \(numbers.seed)")
            }
            read += 1
        }
    }

    @Test func readsAQuoteThatIsPartOfARawName() throws {
        let line = "blob \(blobText)\t\"a\tb\"\n"
        #expect(try Self.record(line, names: .raw).name.bytes == Array("\"a\tb\"\n".utf8))
    }

    @Test func readsAnUnquotedNameAsItIs() throws {
        let line = "blob \(blobText)\t\u{E9} b"
        #expect(try Self.record(line).name.bytes == Array("\u{E9} b".utf8))
    }

    @Test func saysNothingOfAFolderAndNeverThatAFileIsLarge() throws {
        #expect(try Self.record("tree \(treeText) - - -\td").facts == nil)
        let facts = BlobFacts(
            size: 9_000_000, contentHash: Array("ab".utf8), mediaType: [], isLarge: false)
        #expect(try Self.record("blob \(blobText) 9000000 ab -\tf").facts == facts)
    }

    @Test func takesTheLongestNameAndFacts() throws {
        let longest = String(repeating: "n", count: 740)
        #expect(try Self.record("blob \(blobText)\t\(longest)").name.bytes.count == 740)
        let facts = try Self.record("blob \(blobText) 1 \(longest) \(longest)\tn").facts
        #expect(facts?.contentHash.count == 740 && facts?.mediaType.count == 740)
    }

    // MARK: - Refusals

    @Test(arguments: [
        "", "\t", "\tname", "blob", "blob \(blobText)", "blob \(blobText) name",
        "blob  \(blobText)\tname", " blob \(blobText)\tname", "blob \(blobText) \tname",
        "commit \(blobText)\tname", "tag \(blobText)\tname", "Blob \(blobText)\tname",
        "100644 blob \(blobText)\tname", "blob x\tname", "blob \tname",
        "blob obj-cas-imm-AAAAAAAAAAAA\tname", "blob \(blobText)0\tname",
        "blob \(blobText) 1\tname", "blob \(blobText) 1 ab\tname",
        "blob \(blobText) 1 ab - -\tname", "blob \(blobText) - - -\tname",
        "blob \(blobText) -1 - -\tname", "blob \(blobText) x - -\tname",
        "blob \(blobText)  - -\tname", "blob \(blobText) 99999999999999999999 - -\tname",
        "blob \(blobText) 1 \"ab -\tname", "blob \(blobText) 1 - \"a\\x\"\tname",
        "blob \(blobText) 1 \"\\377\" -\tname", "blob \(blobText) 1 - \"\\377\"\tname",
        "blob \(blobText) 1 \(String(repeating: "h", count: 741)) -\tname",
        "blob \(blobText) 1 - \(String(repeating: "t", count: 741))\tname",
        "tree \(treeText) 1 - -\td", "tree \(treeText) - a -\td", "tree \(treeText) - - a\td",
        "tree \(treeText) 0 - -\td", "blob \(blobText)\t\"name", "blob \(blobText)\t\"na\"me",
        "blob \(blobText)\t\"\\q\"",
    ])
    func refusesALineOfAnotherForm(line: String) {
        #expect(throws: TreeRecordError.malformed(Array(line.utf8))) { try Self.record(line) }
    }

    @Test(arguments: [
        ("", ""), (".", "."), ("..", ".."), ("a/b", "a/b"), ("/", "/"), ("a/", "a/"),
        ("\"\"", ""), ("\"a\\000b\"", "a\0b"), ("\"..\"", ".."),
    ])
    func refusesAWrongName(shown: String, name: String) {
        #expect(throws: TreeRecordError.badName(Array(name.utf8))) {
            try Self.record("blob \(blobText)\t\(shown)")
        }
    }

    @Test func refusesANameThatIsNoText() {
        #expect(throws: TreeRecordError.badName([0x61, 0xFF])) {
            try Self.record("blob \(blobText)\t\"a\\377\"")
        }
        #expect(throws: TreeRecordError.badName([0xFF])) {
            try TreeRecord(Array("blob \(blobText)\t".utf8) + [0xFF], names: .raw)
        }
    }

    @Test func refusesANameThatNoTreeHasRoomFor() {
        let long = String(repeating: "n", count: 741)
        #expect(throws: TreeRecordError.longName(Array(long.utf8))) {
            try Self.record("tree \(treeText)\t\(long)")
        }
    }

    @Test(arguments: [".git", ".GIT", ".sg_vault", "git~1", ".git.", " ", "\\a", "a\\..\\b"])
    func refusesANameThatThePathGuardKeepsOut(name: String) {
        for kind in ["blob \(blobText)", "tree \(treeText)"] {
            #expect(throws: TreeRecordError.protectedName(Array(name.utf8))) {
                try Self.record("\(kind)\t\(name)", names: .raw)
            }
        }
    }
}
