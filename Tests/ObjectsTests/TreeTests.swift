import Encodings
import Objects
import TestSupport
import Testing

private let blobText = "obj-cas-imm-aaaaaaaaaaaa"
private let treeText = "obj-cas-imm-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

@Suite struct TreeTests {
    private let cipher = TestKeys.cipher()

    private func decode(_ text: String) throws -> Tree {
        try Tree.decode(Array(text.utf8)[...], with: cipher)
    }

    /// A tree of one entry with these members.
    private func decode(entry members: String) throws -> Tree {
        try decode("{\"entries\": [{\(members)}]}")
    }

    private func sealed(_ text: String) -> String {
        String(decoding: cipher.sealField(Array(text.utf8)), as: UTF8.self)
    }

    private func name(_ text: String) -> String { "\"name_enc\": \"\(sealed(text))\"" }

    private func blob(_ name: String) throws -> TreeEntry {
        TreeEntry(
            name: try #require(EntryName(Array(name.utf8))),
            target: .blob(
                try #require(ObjectID(Array(blobText.utf8))),
                BlobFacts(size: 0, contentHash: [], mediaType: [], isLarge: false)))
    }

    // MARK: - The document

    @Test func writesTheEmptyTreeExactly() {
        #expect(
            Tree(entries: []).encode(with: cipher)
                == Array("{\"schema\": \"tree_v1\", \"entries\": []}".utf8))
    }

    @Test func readsTheEmptyTree() throws {
        #expect(try decode("{\"entries\": []}").entries.isEmpty)
        #expect(try decode("{\"schema\": \"tree_v1\", \"entries\": [], \"x\": 1}").entries.isEmpty)
    }

    @Test(arguments: ["{}", "{\"schema\": \"tree_v1\"}", "{\"x\": []}"])
    func refusesADocumentWithoutEntries(text: String) {
        #expect(throws: DocumentError.missingMember("entries")) { try decode(text) }
    }

    @Test(arguments: [
        "{\"entries\": null}", "{\"entries\": {}}", "{\"entries\": \"x\"}", "{\"entries\": [1]}",
        "{\"entries\": [null]}", "{\"entries\": [[]]}", "{\"entries\": [\"x\"]}",
    ])
    func refusesEntriesOfABadForm(text: String) {
        #expect(throws: DocumentError.badMember("entries")) { try decode(text) }
    }

    @Test(arguments: ["", "[]", "null", "1", "{\"entries\": []", "{\"entries\": []}x"])
    func refusesWhatIsNoObject(text: String) {
        #expect(throws: (any Error).self) { try decode(text) }
    }

    @Test func toleratesEverySchemaOfTheFormAndRefusesOthers() throws {
        _ = try decode("{\"schema\": \"tree_v2\", \"entries\": []}")
        _ = try decode("{\"schema\": null, \"entries\": []}")
        #expect(throws: DocumentError.badMember("schema")) {
            try decode("{\"schema\": \"Tree\", \"entries\": []}")
        }
        #expect(throws: DocumentError.badMember("schema")) {
            try decode("{\"schema\": 1, \"entries\": []}")
        }
    }

    // MARK: - Entries

    @Test func readsAnEntryWithOnlyABlobAndAName() throws {
        let tree = try decode(entry: "\"blob_id\": \"\(blobText)\", \(name("a"))")
        #expect(tree.entries == [try blob("a")])
    }

    @Test func readsEveryMemberInAnyOrderWithUnknownOnes() throws {
        let tree = try decode(
            entry:
                "\"x\": {\"y\": []}, \"large\": true, \"content_type_enc\": \"\(sealed("text/plain"))\", "
                + "\"content_hash_enc\": \"\(sealed("0123456789ab"))\", \"size_enc\": \"\(sealed("12"))\", "
                + "\(name("a")), \"tree_id\": null, \"blob_id\": \"\(blobText)\"")
        let expected = BlobFacts(
            size: 12, contentHash: Array("0123456789ab".utf8), mediaType: Array("text/plain".utf8),
            isLarge: true)
        #expect(
            tree.entries.map(\.target) == [
                .blob(try #require(ObjectID(Array(blobText.utf8))), expected)
            ])
    }

    @Test func readsAFolder() throws {
        let tree = try decode(
            entry: "\"blob_id\": null, \"tree_id\": \"\(treeText)\", \(name("d"))")
        #expect(tree.entries.map(\.target.kind) == [.tree])
        #expect(tree.entries.map(\.target.id.text) == [treeText])
    }

    @Test func readsAnEntryWithBothIDsAsAFile() throws {
        let tree = try decode(
            entry: "\"blob_id\": \"\(blobText)\", \"tree_id\": \"\(treeText)\", \(name("a"))")
        #expect(tree.entries.map(\.target.id.text) == [blobText])
        #expect(tree.entries.map(\.target.kind) == [.blob])
    }

    @Test(arguments: [
        "", "\"blob_id\": null, ", "\"blob_id\": \"\", \"tree_id\": \"\", ", "\"tree_id\": null, ",
    ])
    func skipsAnEntryWithNeitherID(members: String) throws {
        #expect(try decode(entry: members + name("a")).entries.isEmpty)
    }

    @Test func skipsAnEntryWithoutAName() throws {
        for member in ["\"x\": 1", "\"name_enc\": null", "\"name_enc\": \"\"", name("")] {
            #expect(try decode(entry: "\"blob_id\": \"\(blobText)\", \(member)").entries.isEmpty)
        }
    }

    @Test(arguments: [
        "x", "obj-cas-imm-0123", "obj-cas-imm-AAAAAAAAAAAA", " obj-cas-imm-aaaaaaaaaaaa",
        "obj-cas-imm-aaaaaaaaaaaa ", "OBJ-CAS-IMM-aaaaaaaaaaaa", "obj-cas-imm-aaaaaaaaaaag",
    ])
    func refusesATreeWithAnIDOfABadForm(id: String) {
        #expect(throws: DocumentError.badMember("blob_id")) {
            try decode(entry: "\"blob_id\": \"\(id)\", \(name("a"))")
        }
        #expect(throws: DocumentError.badMember("tree_id")) {
            try decode(entry: "\"tree_id\": \"\(id)\", \(name("a"))")
        }
        #expect(throws: DocumentError.badMember("tree_id")) {
            try decode(entry: "\"blob_id\": \"\(blobText)\", \"tree_id\": \"\(id)\", \(name("a"))")
        }
        // Even of an entry that would be skipped.
        #expect(throws: DocumentError.badMember("blob_id")) {
            try decode(entry: "\"blob_id\": \"\(id)\"")
        }
    }

    @Test func refusesAMemberOfAnotherKind() {
        for member in [
            "blob_id", "tree_id", "name_enc", "size_enc", "content_hash_enc", "content_type_enc",
        ] {
            for value in ["1", "true", "[]", "{}"] {
                #expect(throws: DocumentError.self, "\(member) \(value)") {
                    try decode(entry: "\"\(member)\": \(value)")
                }
            }
        }
        #expect(throws: DocumentError.badMember("large")) { try decode(entry: "\"large\": 1") }
    }

    @Test(arguments: ["x", "-1", "1.5", " 1", "", "0x10", "1e3", "99999999999999999999"])
    func refusesASizeThatIsNoNumber(size: String) {
        #expect(throws: DocumentError.badMember("size_enc")) {
            try decode(
                entry:
                    "\"blob_id\": \"\(blobText)\", \(name("a")), \"size_enc\": \"\(sealed(size))\"")
        }
    }

    @Test func takesNullForAnAbsentMember() throws {
        let tree = try decode(
            entry: "\"blob_id\": \"\(blobText)\", \(name("a")), \"size_enc\": null, "
                + "\"content_hash_enc\": null, \"content_type_enc\": null, \"large\": null")
        #expect(tree.entries == [try blob("a")])
    }

    @Test func takesTheLastOfTwoMembersOfAnEntry() throws {
        let tree = try decode(
            entry:
                "\"blob_id\": \"\(treeText)\", \(name("a")), \"blob_id\": \"\(blobText)\", \(name("b"))"
        )
        #expect(tree.entries == [try blob("b")])
        #expect(
            try decode(entry: "\"blob_id\": \"\(blobText)\", \(name("a")), \"blob_id\": null")
                .entries.isEmpty)
    }

    @Test func forgetsTheMembersOfTheEntryBefore() throws {
        let full =
            "{\"blob_id\": \"\(blobText)\", \(name("a")), \"size_enc\": \"\(sealed("9"))\", \"large\": true, "
            + "\"content_hash_enc\": \"\(sealed("x"))\", \"content_type_enc\": \"\(sealed("t"))\"}"
        let bare = "{\"blob_id\": \"\(blobText)\", \(name("b"))}"
        let skipped = "{\(name("c"))}"
        let tree = try decode("{\"entries\": [\(full), \(bare), \(skipped)]}")
        #expect(tree.entries.count == 2)
        #expect(tree.entries.last == (try blob("b")))
    }

    @Test func refusesAFieldThatDoesNotOpen() {
        let broken = String(sealed("a").reversed())
        for member in ["name_enc", "size_enc", "content_hash_enc", "content_type_enc"] {
            let before = member == "name_enc" ? "" : name("a") + ", "
            #expect(throws: DocumentError.self, "\(member)") {
                try decode(
                    entry: "\"blob_id\": \"\(blobText)\", \(before)\"\(member)\": \"\(broken)\"")
            }
        }
    }

    @Test func refusesAFieldOfAnotherKey() {
        let other = TestKeys.cipher(Array(1..<33))
        let field = String(decoding: other.sealField([0x61]), as: UTF8.self)
        #expect(throws: DocumentError.sealedMember("name_enc", .notAuthentic)) {
            try decode(entry: "\"blob_id\": \"\(blobText)\", \"name_enc\": \"\(field)\"")
        }
    }

    @Test func refusesANameThatIsNoText() {
        let field = String(decoding: cipher.sealField([0xFF]), as: UTF8.self)
        #expect(throws: DocumentError.badMember("name_enc")) {
            try decode(entry: "\"blob_id\": \"\(blobText)\", \"name_enc\": \"\(field)\"")
        }
    }

    /// A tree of empty files and folders: `b` is a file, `d/` a folder; ids end in their place.
    private func decode(names: String...) throws -> [String] {
        let entries = names.enumerated().map { number, text in
            let member = text.hasSuffix("/") ? "tree_id" : "blob_id"
            let name = name(String(text.prefix { $0 != "/" }))
            return "{\"\(member)\": \"obj-cas-imm-00000000000\(number)\", \(name)}"
        }
        return try decode("{\"entries\": [\(entries.joined(separator: ", "))]}").entries.map {
            entry in
            String(decoding: entry.name.bytes, as: UTF8.self)
                + (entry.target.kind == .tree ? "/" : "") + entry.target.id.text.suffix(1)
        }
    }

    @Test func keepsStoredOrder() throws {
        #expect(try decode(names: "b", "a", "d/", "c", "c/") == ["b0", "a1", "d/2", "c3", "c/4"])
    }

    @Test func keepsOfSeveralFilesOrFoldersOfOneNameTheLast() throws {
        #expect(try decode(names: "b", "a", "b") == ["a1", "b2"])
        #expect(try decode(names: "a", "a", "a") == ["a2"])
        #expect(try decode(names: "d/", "c/", "d/") == ["c/1", "d/2"])
        #expect(try decode(names: "a", "a/", "a", "a/") == ["a2", "a/3"])
    }

    @Test func findsTheLastOfTwoEntriesOfOneName() throws {
        let entries = ["b", "a", "b"].enumerated().map { number, text in
            "{\"blob_id\": \"obj-cas-imm-00000000000\(number)\", \(name(text))}"
        }
        let tree = try decode("{\"entries\": [\(entries.joined(separator: ", "))]}")
        #expect(tree.entry(named: Array("b".utf8))?.target.id.text == "obj-cas-imm-000000000002")
        #expect(tree.entry(named: Array("c".utf8)) == nil)
    }

    @Test func findsAnEntryByItsBytes() throws {
        let tree = try decode(entry: "\"blob_id\": \"\(blobText)\", \(name("\u{E9}"))")
        #expect(tree.entry(named: Array("\u{E9}".utf8)) != nil)
        #expect(tree.entry(named: Array("e\u{301}".utf8)) == nil)
    }

    @Test func readsBackWhatItWrites() throws {
        var numbers = SeededNumbers()
        for _ in 0..<50 {
            var entries: [TreeEntry] = []
            for number in 0..<numbers.below(6) {
                let name = try #require(EntryName(Array("\(number) \u{E9}\u{1F680}".utf8)))
                let width: ObjectID.Width = numbers.below(2) == 0 ? .hex12 : .hex32
                let id = ObjectID(naming: numbers.bytes(4), width: width)
                let facts = BlobFacts(
                    size: numbers.below(1 << 40), contentHash: Array("0123456789ab".utf8),
                    mediaType: Array("text/plain".utf8), isLarge: numbers.below(2) == 0)
                entries.append(
                    TreeEntry(
                        name: name, target: numbers.below(3) == 0 ? .tree(id) : .blob(id, facts)))
            }
            let tree = Tree(entries: entries)
            #expect(
                try Tree.decode(tree.encode(with: cipher)[...], with: cipher) == tree,
                "seed \(numbers.seed)")
        }
    }

    @Test func answersOrThrowsForBrokenTrees() throws {
        var numbers = SeededNumbers()
        let tree = Tree(entries: [try blob("a"), try blob("b")])
        let stored = tree.encode(with: cipher)
        for _ in 0..<3000 {
            var broken = stored
            for _ in 0..<1 + numbers.below(3) {
                broken[numbers.below(broken.count)] = UInt8(truncatingIfNeeded: numbers.next())
            }
            if let read = try? Tree.decode(broken[...], with: cipher) {
                #expect(read.entries.count <= 2, "seed \(numbers.seed)")
            }
        }
    }

    @Test func readsATreeOfAMillionEntries() throws {
        var document = Array("{\"entries\": [".utf8)
        for number in 0..<many {
            if number > 0 { document.append(UInt8(ascii: ",")) }
            document += "{\"tree_id\": \"\(treeText)\", \"name_enc\": \"".utf8
            document += cipher.sealField(Array(String(number).utf8))
            document += "\"}".utf8
        }
        document += "]}".utf8
        let tree = try Tree.decode(document[...], with: cipher)
        #expect(tree.entries.count == many)
        #expect(tree.entries.last?.name.bytes == Array(String(many - 1).utf8))
        #expect(tree.entries.last?.target.id.text == treeText)
    }
}
