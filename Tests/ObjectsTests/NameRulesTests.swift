import Objects
import TestSupport
import Testing

@Suite struct PathGuardTests {
    @Test func judgesEveryPathOfTheVectors() throws {
        for row in try Vectors.rows("crypto", "path_guard", count: 81) {
            let path = try row.bytes("path")
            #expect(PathGuard.isProtected(path) == (try row.flag("protected")), "\(row)")
            #expect(PathGuard.isWritable(path) == (try row.flag("writable")), "\(row)")
        }
    }

    @Test(
        arguments: [
            [0xFF], [0x2E, 0xFF, 0x67, 0x69, 0x74], [0x2F, 0xFF], [0xED, 0xA0, 0x80], [0x00],
        ] as [[UInt8]])
    func answersForBytesThatAreNoText(path: [UInt8]) {
        #expect(!PathGuard.isProtected(path))
    }

    @Test func answersForRandomPaths() {
        var numbers = SeededNumbers()
        let letters = Array("./\\~:gitGIT sg_vault1az-".utf8) + [0xC3, 0xA9, 0xE2, 0x80, 0x8C]
        for _ in 0..<5000 {
            let path = (0..<numbers.below(30)).map { _ in letters[numbers.below(letters.count)] }
            if PathGuard.isProtected(path) {
                #expect(!PathGuard.isWritable(path), "\(path), seed \(numbers.seed)")
            }
        }
    }
}

@Suite struct MediaTypeTests {
    private static func guess(_ name: String) -> String {
        String(decoding: MediaType.guess(Array(name.utf8)), as: UTF8.self)
    }

    @Test func guessesEveryNameOfTheVectors() throws {
        for row in try Vectors.rows("crypto", "content_types", count: 72) {
            #expect(
                MediaType.guess(try row.bytes("name")) == (try row.bytes("content_type")), "\(row)")
        }
    }

    @Test func guessesEveryExtensionOfTheTable() throws {
        let table = try Vectors.document("crypto").pairs("content_type_table")
        #expect(table.count == 149)
        for (ending, type) in table {
            #expect(MediaType.guess(Array("x".utf8) + ending) == type)
        }
    }

    @Test func looksBehindEveryCompressionSuffixOfTheTable() throws {
        let encodings = try Vectors.document("crypto").pairs("content_encodings")
        #expect(encodings.count == 5)
        for (ending, _) in encodings {
            let text = String(decoding: ending, as: UTF8.self)
            #expect(Self.guess("x.txt" + text) == "text/plain")
            #expect(Self.guess("x" + text) == "application/octet-stream")
        }
    }

    @Test func expandsEverySuffixOfTheTable() throws {
        let suffixes = try Vectors.document("crypto").pairs("content_type_suffixes")
        #expect(suffixes.count == 6)
        for (ending, expanded) in suffixes {
            #expect(
                MediaType.guess(Array("x".utf8) + ending)
                    == MediaType.guess(Array("x".utf8) + expanded))
        }
        #expect(Self.guess("x.tgz") == "application/x-tar")
    }

    @Test(arguments: ["", ".", "..", ".txt", "...txt", "x.", "txt", "x.unknown", "x.txt/y"])
    func knowsNoTypeForANameWithoutAnExtension(name: String) {
        #expect(Self.guess(name) == "application/octet-stream")
    }

    @Test func answersForBytesThatAreNoText() {
        #expect(!MediaType.guess([0xFF, 0x2E, 0xFE]).isEmpty)
    }
}

@Suite struct TagNameTests {
    @Test func judgesEveryNameOfTheVectors() throws {
        for row in try Vectors.rows("crypto", "tag_names", count: 28) {
            let name = TagName(try row.bytes("name"))
            #expect((name != nil) == (try row.flag("storable")), "\(row)")
            #expect((name?.isCreatable ?? false) == (try row.flag("creatable")), "\(row)")
        }
    }
}

@Suite struct IDGrammarTests {
    @Test(arguments: [
        ("branch-named-01234567", true), ("branch-clone-0123456789abcdef", true),
        ("branch-clone-" + String(repeating: "a", count: 64), true),
        ("branch-clone-" + String(repeating: "a", count: 65), false),
        ("branch-named-0123456", false),
        ("branch-other-0123456789abcdef", false), ("branch-named-0123456G", false), ("", false),
        ("Branch-named-01234567", false), ("branch-named-01234567 ", false),
    ])
    func knowsABranchID(text: String, isOne: Bool) {
        #expect(DocumentRules.isBranchID(Array(text.utf8)) == isOne)
    }

    @Test(arguments: [
        ("key-rnd-imm-01234567", true), ("key-rnd-imm-" + String(repeating: "f", count: 64), true),
        ("key-rnd-imm-0123456", false), ("key-rnd-imm-" + String(repeating: "f", count: 65), false),
        ("key-rnd-imm-0123456/", false), ("key-rnd-imm-../../../x", false), ("", false),
    ])
    func knowsAKeyID(text: String, isOne: Bool) {
        #expect(DocumentRules.isKeyID(Array(text.utf8)) == isOne)
    }

    @Test(arguments: [
        ("ref-pid-muw-0123456789ab", true), ("ref-pid-snw-0123456789ab", true),
        ("ref-pid-muw-0123456789abc", false), ("ref-pid-muw-0123456789a", false),
        ("ref-pid-xxx-0123456789ab", false), ("ref-pid-muw-0123456789aB", false), ("", false),
    ])
    func knowsARefID(text: String, isOne: Bool) {
        #expect(DocumentRules.isRefID(Array(text.utf8)) == isOne)
    }

    @Test(arguments: [
        ("commit_v1", true), ("commit_v2", true), ("a_v0", true), ("branch_index_v12", true),
        ("__v1", true),
        ("_v1", false), ("commit", false), ("commit_v", false), ("Commit_v1", false),
        ("commit_v1 ", false),
        ("commit_V1", false), ("commit_x1", false), ("commit1_v1", false), ("", false),
        ("v1", false),
    ])
    func knowsASchema(text: String, isOne: Bool) {
        #expect(DocumentRules.isSchema(Array(text.utf8)) == isOne)
    }
}

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"),
        (86_399_999, "1970-01-01T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
        (99_999_999_999_999, "5138-11-16T09:46:39.999Z"),
    ])
    func writesATimeAsPythonDoes(milliseconds: Int, text: String) {
        #expect(Timestamp.rfc3339(milliseconds) == text)
    }
}
