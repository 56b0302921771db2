import Cryptography
import Encodings
import Foundation
import Objects
import Store
import TestSupport
import Testing

/// The vaults of `Tests/Fixtures` through the library: what `vault.json` says is what is read.
@Suite struct FixtureTests {
    private static func key(_ fixture: Fixture, of vault: Row) throws -> EnvelopeCipher {
        EnvelopeCipher(
            TestKeys.readKey(try vault.hex("read_key"), vault: try vault.text("vault_id")))
    }

    private static func open(_ fixture: Fixture) throws -> (store: BareStore, vault: Row) {
        let vault = try fixture.vault()
        let layout = try #require(StoreLayout(at: fixture.folder))
        return (try BareStore(layout, cipher: key(fixture, of: vault)), vault)
    }

    private static func id(_ row: Row, _ name: StaticString) throws -> ObjectID {
        try #require(ObjectID(try row.bytes(name)))
    }

    @Test func thereAreFixtures() {
        #expect(Fixture.all.count >= 8)
    }

    @Test(arguments: Fixture.all) func readsTheIndexAndTheHeads(fixture: Fixture) throws {
        let (store, vault) = try Self.open(fixture)
        let index = try #require(try store.index())
        let branches = try vault.rows("branches")
        #expect(index.branches.count == branches.count)
        for (branch, row) in zip(index.branches, branches) {
            #expect(branch.id == (try row.bytes("branch_id")))
            #expect(branch.name == (try row.bytes("name")))
            #expect(branch.kind.rawValue == (try row.text("type")))
            #expect(branch.ref == (try row.bytes("head_ref_id")))
            #expect(branch.key == (try row.bytes("public_key_id")))
            #expect((branch.creator ?? []) == (try row.bytes("creator_branch")))
            #expect(branch.createdAt.integer == (try row.integer("created_at")))
            let ref = String(decoding: branch.ref, as: UTF8.self)
            // A clone that never pushed has no ref yet.
            let head = try row.optionalBytes("head").map { try #require(ObjectID($0)) }
            #expect(try store.refs.read(ref) == head.map { .head($0) } ?? .absent)
        }
        #expect((index.gate.format ?? 1) == (try vault.integer("format")))
        #expect((index.gate.minimumClient ?? []) == (try vault.bytes("min_client")))
        #expect(index.gate.features == (try vault.texts("features")))
        #expect(try store.mainRef() == vault.text("ref_file_id"))
        #expect(try store.refs.read(store.mainRef()) == .head(Self.id(vault, "head")))
        #expect(throws: Never.self) { try store.explainAbsence() }
    }

    @Test(arguments: Fixture.all) func readsEveryCommitWithItsVerdict(fixture: Fixture) throws {
        let (store, vault) = try Self.open(fixture)
        for row in try vault.rows("commits") {
            let id = try Self.id(row, "id")
            let commit = try store.objects.commit(id)
            #expect(commit.tree == (try Self.id(row, "tree_id")))
            #expect(commit.parents.map(\.bytes) == (try row.texts("parents")))
            #expect(commit.time == (try row.integer("timestamp_ms")))
            #expect(try store.objects.message(of: commit, id) == row.bytes("message"))
            #expect((commit.branch ?? []) == (try row.bytes("branch_id")))
            #expect((commit.authorKey ?? []) == (try row.bytes("author_key_id")))
            #expect(
                try store.verdict(on: commit).rawValue == row.text("signature_status"), "\(row)")
        }
    }

    @Test(arguments: Fixture.all) func readsEveryFolderAndFileOfEveryCommit(fixture: Fixture) throws
    {
        let (store, vault) = try Self.open(fixture)
        for row in try vault.rows("commits") {
            var folders: [[UInt8]: [UInt8]] = [[]: try row.bytes("tree_id")]
            var files: [[UInt8]: [UInt8]] = [:]
            try TreeWalk(store.objects).run(try Self.id(row, "tree_id")) { path, entry in
                let path = PrettyLayout.path(path)
                switch entry.target {
                case .tree(let id): folders[path] = id.bytes
                case .blob(let id, _): files[path] = id.bytes
                }
                return .enter
            }
            let expectedFolders = try row.pairs("trees").map { ($0.name, $0.text) }
            #expect(folders == Dictionary(expectedFolders) { $1 }, "\(row)")
            let expectedFiles = try row.pairs("files").map { ($0.name, $0.text) }
            #expect(files == Dictionary(expectedFiles) { $1 }, "\(row)")
            #expect(files.count == expectedFiles.count)
        }
    }

    @Test(arguments: Fixture.all) func readsEveryFileOfTheHead(fixture: Fixture) throws {
        let (store, vault) = try Self.open(fixture)
        var found: [[UInt8]: (id: ObjectID, facts: BlobFacts)] = [:]
        let head = try store.objects.commit(try Self.id(vault, "head"))
        try TreeWalk(store.objects).run(head.tree) { path, entry in
            if case .blob(let id, let facts) = entry.target {
                found[PrettyLayout.path(path)] = (id, facts)
            }
            return .enter
        }
        let files = try vault.rows("files")
        #expect(found.count == files.count)
        for row in files {
            let (id, facts) = try #require(found[try row.bytes("path")])
            #expect(id == (try Self.id(row, "blob_id")))
            #expect(facts.size == (try row.integer("size")))
            #expect(facts.contentHash == (try row.bytes("content_hash")))
            #expect(facts.mediaType == (try row.bytes("content_type")))
            #expect(facts.isLarge == (try row.flag("large")))
            let blob = try store.objects.blob(id)
            #expect(blob.count == facts.size)
            #expect(Hex.encode(SHA256.digest(blob).bytes) == (try row.bytes("sha256")))
        }
    }

    @Test(arguments: Fixture.all) func resolvesEveryTagThatVerifies(fixture: Fixture) throws {
        let (store, vault) = try Self.open(fixture)
        let now = 1_800_000_000_000
        let rows = try vault.rows("tags")
        let live = try #require(try store.index()).liveTagNames(now: now)
        #expect(live.map(\.bytes) == (try rows.map { try $0.bytes("name") }))
        for row in rows {
            let name = try #require(TagName(try row.bytes("name")))
            let found = try #require(try store.verifiedTag(named: name, now: now))
            #expect(found.object == (try Self.id(row, "tag_id")))
            #expect(found.commit == (try Self.id(row, "commit_id")))
            let tag = try store.objects.tag(found.object)
            #expect(tag.message == (try row.bytes("message")))
            #expect(tag.key == (try row.bytes("tagger_key_id")))
            #expect(tag.time == (try row.integer("timestamp_ms")))
        }
    }

    @Test func resolvesNoTagThatWasDeleted() throws {
        let (store, vault) = try Self.open(Fixture("tags"))
        let tombstones = try vault.texts("tombstones")
        #expect(tombstones.count == 1)
        for text in tombstones {
            let name = try #require(TagName(text))
            #expect(try store.verifiedTag(named: name, now: 1_800_000_000_000) == nil)
        }
    }

    @Test(arguments: Fixture.all) func writesEveryTreeToTheBytesThatSgitSealed(fixture: Fixture)
        throws
    {
        let (store, vault) = try Self.open(fixture)
        var seen: Set<ObjectID> = []
        for row in try vault.rows("commits") {
            for (_, text) in try row.pairs("trees") {
                let id = try #require(ObjectID(text))
                guard seen.insert(id).inserted else { continue }
                let tree = try store.objects.tree(id)
                let envelope = store.cipher.sealDeterministically(tree.encode(with: store.cipher))
                #expect(try envelope == store.objects.envelope(id), "\(id.text)")
            }
        }
        #expect(!seen.isEmpty)
    }

    @Test(arguments: Fixture.all) func listsTheObjectsInOrderAndKnowsEachOne(fixture: Fixture)
        throws
    {
        let (store, _) = try Self.open(fixture)
        let ids = try store.objects.ids()
        let files = try FileManager.default.contentsOfDirectory(
            atPath: fixture.folder + "/bare/data")
        #expect(ids.map(\.text) == files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        for id in ids { #expect(try store.objects.contains(id)) }
        let first = try #require(ids.first)
        #expect(
            try store.objects.ids(beginning: Array(first.bytes[12..<20]), limit: 8).contains(first))
        #expect(try store.objects.storedSize(first) == store.objects.envelope(first).count)
    }
}
