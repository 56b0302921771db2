import CommandInterface
import FileSystem
import Objects
import Plumbing
import Store
import TestSupport
import Testing

@Suite struct OpenStoreTests {
    private static func open(_ fixture: Fixture) throws -> (store: OpenStore, vault: Row) {
        let vault = try fixture.vault()
        let key = TestKeys.readKey(try vault.hex("read_key"), vault: try vault.text("vault_id"))
        let layout = try #require(StoreLayout(at: fixture.folder))
        let bare = try BareStore(layout, cipher: EnvelopeCipher(key))
        return (OpenStore(bare, now: 1_800_000_000_000, runtimeFolder: nil), vault)
    }

    private static func resolve(_ store: OpenStore, _ name: String) throws -> ObjectID {
        try store.resolve(#require(ObjectName(Array(name.utf8)))).id
    }

    @Test(arguments: Fixture.all) func resolvesHeadsBranchesIDsAndTags(fixture: Fixture) throws {
        let (store, vault) = try Self.open(fixture)
        let head = try vault.text("head")
        for name in ["@", "current", head, head + "^0", head + "~0", String(head.dropFirst(12))] {
            #expect(try Self.resolve(store, name).text == head, "\(name)")
        }
        for row in try vault.rows("tags") {
            let name = try row.text("name")
            #expect(try Self.resolve(store, name).text == row.text("tag_id"))
            #expect(try Self.resolve(store, name + "^0").text == row.text("commit_id"))
        }
        let heads = try vault.rows("branches").compactMap { try $0.optionalBytes("head") }
        #expect(try store.heads().map(\.bytes) == heads)
    }

    @Test(arguments: Fixture.all) func resolvesParentsTreesAndPaths(fixture: Fixture) throws {
        let (store, vault) = try Self.open(fixture)
        for row in try vault.rows("commits") {
            let id = try row.text("id")
            for (number, parent) in try row.texts("parents").enumerated() {
                #expect(try Self.resolve(store, "\(id)^\(number + 1)").bytes == parent)
            }
            #expect(try Self.resolve(store, id + "^{tree}").text == row.text("tree_id"))
            for (path, text) in try row.pairs("files") + row.pairs("trees") {
                let name = try #require(ObjectName(Array((id + ":").utf8) + path))
                #expect(try store.resolve(name).id.bytes == text)
            }
        }
    }

    @Test(arguments: ["@~99", "@^9", "@:absent", "absent", "@^{tree}~1", "obj-cas-imm-ffff"])
    func findsNothingOfANameThatLeadsNowhere(name: String) throws {
        let (store, _) = try Self.open(Fixture("merge"))
        #expect(throws: ObjectNameError.self) { try Self.resolve(store, name) }
    }

    @Test func answersWhetherAnObjectIsThere() throws {
        let (store, _) = try Self.open(Fixture("merge"))
        func contains(_ name: String) throws -> Bool {
            try store.contains(#require(ObjectName(Array(name.utf8))))
        }
        #expect(try contains("@") && contains("current") && contains("@^{tree}"))
        #expect(
            try !contains("obj-cas-imm-ffffffffffff") && !contains("absent")
                && !contains("@:absent"))
    }
}

/// Errors reach a person as DESIGN's table of exit statuses says.
@Suite struct ErrorReportTests {
    private static let id = ObjectID(naming: [1], width: .hex12)

    @Test(
        arguments: [
            (StoreError.missing(id), .missing), (.nameMismatch(id), .damaged),
            (.keyDoesNotFit(subject: "x"), .wrongKey),
            (.damaged(subject: "x", reason: EnvelopeError.truncated), .damaged),
            (.tooLarge(subject: "x", limit: 1), .damaged), (.foreignKey, .wrongKey),
            (.noIndex, .missing),
            (.emptyStore, .missing), (.needsClient("9.0.0"), .notAllowed),
            (.tagNotVerified(name: "x", .bad, key: "k"), .damaged),
            (.tagNotVerified(name: "x", .noKey, key: "k"), .missing),
        ] as [(StoreError, CommandInterface.ExitStatus)])
    func givesTheStatusOfAnErrorOfTheStore(error: StoreError, status: CommandInterface.ExitStatus) {
        #expect(error.report.status == status)
        #expect(Self.isWellFormed(error.report.message))
    }

    @Test func givesTheStatusOfOtherErrors() {
        #expect(FileError.notFound(path: "x").report.status == .missing)
        #expect(TreeWalkError.cycle(Self.id).report.status == .damaged)
        #expect(SecretInputError.terminal.report.status == .secretNeeded)
        #expect(
            SecretInputError.readableByOthers(path: "x", mode: 0o644).report.status == .notAllowed)
        #expect(ObjectNameError.unknown(name: [0x78]).report.status == .missing)
    }

    /// No capital at its start and no full stop at its end.
    private static func isWellFormed(_ message: String) -> Bool {
        message.first?.isUppercase == false && !message.hasSuffix(".")
    }
}
