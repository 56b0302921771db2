import Objects
import Secrets
import TestSupport
import Testing

@Suite struct SecretListTests {
    private let forest = ForestDrawing()

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func secret(_ title: String, id: String = "", kind: String = "login")
        -> ForestDrawing.Node
    {
        .blob(#"{"id":"\#(id)","kind":"\#(kind)","title":"\#(title)","fields":{}}"#)
    }

    private func list(_ nodes: [(String, ForestDrawing.Node)]) throws -> SecretList {
        try SecretList(of: forest.tree([("secrets", .tree(nodes))]), forest.objects)
    }

    private func titles(_ secrets: [SecretList.Secret]) -> [String] {
        secrets.map { String(decoding: $0.document.title, as: UTF8.self) }
    }

    @Test func holdsTheDocumentsOfItsFolderInOrder() throws {
        let list = try list([
            ("b.json", secret("b", id: "2")), ("a.json", secret("b", id: "1")),
            ("c.json", secret("a")), ("d.json", .blob("{}")), ("e.txt", secret("text")),
            (".json", secret("no name")), ("f.conflict-0123abcd.json", secret("other side")),
            ("g.conflict-deleted.json", .blob("")), ("h.json", .tree([("i.json", secret("deep"))])),
            ("large.json", .blob(#"{"title":"\#(String(repeating: "x", count: 1 << 20))"}"#)),
        ])
        #expect(titles(list.secrets) == ["a", "b", "b"])
        #expect(list.secrets.map(\.slug) == [bytes("c"), bytes("a"), bytes("b")])
        #expect(list.secrets[0].path.map(\.bytes) == [bytes("secrets"), bytes("c.json")])
    }

    @Test func isEmptyWithoutTheFolder() throws {
        #expect(try SecretList(of: forest.tree([]), forest.objects).secrets.isEmpty)
        let file = forest.tree([("secrets", .blob("a file"))])
        #expect(try SecretList(of: file, forest.objects).secrets.isEmpty)
    }

    @Test func aFolderThatIsNotThereIsNoEmptyOne() throws {
        let lost = try #require(ObjectID(bytes("obj-cas-imm-000000000000")))
        let tree = forest.tree([("secrets", .link(lost))])
        #expect(throws: MemoryObjects.Failure.missing(lost)) {
            try SecretList(of: tree, forest.objects)
        }
    }

    @Test func aDocumentThatCannotBeReadTakesNoOtherWithIt() throws {
        let nodes = [("a.json", secret("A")), ("b.json", secret("B"))]
        let tree = forest.tree([("secrets", .tree(nodes))])
        forest.objects.blobs[forest.target(nodes[1].1).id] = nil
        let list = try SecretList(of: tree, forest.objects)
        #expect(titles(list.secrets) == ["A"] && list.unread.map(\.slug) == [bytes("b")])
        #expect(list.unread.first?.reason is MemoryObjects.Failure)
    }

    @Test func whatIsLargerThanItsEntrySaysIsNone() throws {
        let text = #"{"title":"\#(String(repeating: "x", count: 1 << 20))"}"#
        let target = forest.target(.blob(text))
        let name = try #require(EntryName(bytes("large.json")))
        let folder = ObjectID(naming: bytes("a folder"), width: .hex12)
        let facts = BlobFacts(size: 10, contentHash: [], mediaType: [], isLarge: false)
        forest.objects.trees[folder] = Tree(entries: [
            TreeEntry(name: name, target: .blob(target.id, facts))
        ])
        let root = forest.tree([("secrets", .link(folder))])
        #expect(try SecretList(of: root, forest.objects).secrets.isEmpty)
    }

    @Test func isFoundByTitleThenBySlugOrID() throws {
        let list = try list([
            ("bank.json", secret("Bank", id: "1")), ("bank-22.json", secret("bank", id: "2")),
            ("x.json", secret("-rf", id: "3")), ("y.json", secret("https://x/", id: "bank-22")),
            ("twin-1.json", secret("Twin", id: "5")), ("twin-2.json", secret("Twin", id: "6")),
        ])
        #expect(titles(list.named(bytes("Bank"))) == ["Bank"])
        #expect(titles(list.named(bytes("bank"))) == ["bank"])
        #expect(titles(list.named(bytes("-rf"))) == ["-rf"])
        #expect(titles(list.named(bytes("https://x/"))) == ["https://x/"])
        #expect(titles(list.named(bytes("1"))) == ["Bank"])
        #expect(titles(list.named(bytes("bank-22"))) == ["bank", "https://x/"])
        #expect(list.named(bytes("Twin")).count == 2 && list.named(bytes("twin-2")).count == 1)
        #expect(list.named(bytes("nobody")).isEmpty && list.named([]).isEmpty)
    }

    @Test func aNewOneTakesNoNameThatIsTaken() throws {
        let list = try list([("bank.json", .blob("not even a secret"))])
        func path(_ title: String, _ id: String) throws -> String {
            let document = try #require(
                SecretDocument(bytes(#"{"id":"\#(id)","title":"\#(title)"}"#)))
            return String(
                decoding: list.path(forNew: document).map(\.bytes).joined(separator: "/".utf8)
                    .map { $0 }, as: UTF8.self)
        }
        #expect(try path("Bank", "abcdef") == "secrets/bank-abcd.json")
        #expect(try path("Else", "abcdef") == "secrets/else.json")
        #expect(try path("\u{65e5}\u{672c}", "abcdef") == "secrets/abcdef.json")
    }
}

@Suite struct SlugTests {
    @Test(arguments: [
        ("Bank", "bank"), ("My  Bank!", "my-bank"), ("--a--b--", "a-b"), ("https://x/", "https-x"),
        ("Z\u{fc}rich 1", "z-rich-1"), ("", ""), ("\u{65e5}", ""),
        ("../../etc/passwd", "etc-passwd"),
    ])
    func isLettersDigitsAndHyphens(title: String, slug: String) {
        #expect(Slug.of(Array(title.utf8)) == Array(slug.utf8))
    }

    @Test func isAtMost64LongAndEndsWithNoHyphen() {
        let title = Array((String(repeating: "a", count: 63) + " b").utf8)
        #expect(Slug.of(title) == Array(repeating: 0x61, count: 63))
        #expect(Slug.of(Array(repeating: 0x61, count: 900)).count == 64)
    }

    @Test func goesBackToTheIDWhereBothAreTaken() {
        let id = Array("0123456789abcdef".utf8)
        let slug = Slug.new(Array("Bank".utf8), id: id) { $0.starts(with: "bank".utf8) }
        #expect(slug == id)
    }
}
