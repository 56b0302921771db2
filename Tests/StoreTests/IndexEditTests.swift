import Cryptography
import Encodings
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

private let branchText =
    "{\"branch_id\": \"branch-named-0123456789abcdef\", \"name\": \"current\", "
    + "\"head_ref_id\": \"ref-pid-muw-0123456789ab\"}"

@Suite struct IndexEditTests {
    private let new: NewStore

    init() throws { new = try NewStore() }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// The text of the index after an edit of the one that is there.
    private func edited(_ edit: (inout BranchIndex) throws -> Void) throws -> String {
        try new.hold().editIndex(edit)
        return try new.text(new.indexFile)
    }

    /// The text that an edit makes of the text of an index.
    private func edited(
        _ text: String, _ edit: (inout BranchIndex) throws -> Void
    ) throws -> String {
        try new.seal(text, as: new.indexFile)
        return try edited(edit)
    }

    private func refusal(_ text: String, _ edit: (inout BranchIndex) throws -> Void) -> String? {
        do {
            _ = try edited(text, edit)
            return nil
        } catch StoreError.editRefused(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }

    /// A clone branch with nothing in it that need not be.
    private func branch() throws -> BranchIndex.Branch {
        let text =
            "{\"branches\": [{\"branch_id\": \"branch-clone-0123456789abcdef\", \"name\": \"local\", "
            + "\"branch_type\": \"clone\", \"head_ref_id\": \"ref-pid-snw-0123456789ab\", "
            + "\"created_at\": 5}]}"
        return try #require(BranchIndex.decode(Self.bytes(text)[...]).branches.first)
    }

    /// A golden vault's index, and its text as sgit wrote it.
    private static func golden(_ name: String) throws -> (index: BranchIndex, text: String) {
        let fixture = Fixture(name)
        let vault = try fixture.vault()
        let cipher = TestKeys.cipher(try vault.hex("read_key"))
        let file = "bare/indexes/" + (try vault.text("branch_index_file_id"))
        let text = try cipher.open(
            TestFiles.read("Fixtures/\(name)/\(file)"), limit: BranchIndex.limit)
        return (try BranchIndex.decode(text), String(decoding: text, as: UTF8.self))
    }

    // MARK: - The text

    @Test(arguments: ["linear", "branches", "merge", "signatures"])
    func writesANewIndexAsSgitDoes(name: String) throws {
        let (index, text) = try Self.golden(name)
        #expect(try edited { new in for branch in index.branches { new.add(branch) } } == text)
    }

    @Test func writesTheGateOfANewIndexAsSgitDoes() throws {
        let (index, text) = try Self.golden("format2")
        let found = try edited { new in
            try new.raise(format: 2)
            try new.raise(minimumClient: Self.bytes("0.20.0"))
            for branch in index.branches { new.add(branch) }
        }
        #expect(found == text)
    }

    @Test(arguments: ["linear", "branches", "merge", "format2", "deflate", "tags"])
    func keepsTheTextThatSgitWroteButForTheEdit(name: String) throws {
        let text = try Self.golden(name).text
        let found = try edited(text) { try $0.add(feature: Self.bytes("x")) }
        let (old, new): (String, String) =
            switch name {
            case "format2": ("[\"ids-128\"]", "[\"ids-128\", \"x\"]")
            case "deflate": ("[\"blob-deflate\"]", "[\"blob-deflate\", \"x\"]")
            default: ("\"features\": []", "\"features\": [\"x\"]")
            }
        #expect(found == text.replacing(old, with: new))
        #expect(found != text)
    }

    @Test func keepsMembersThatItDoesNotKnowAtEveryLevel() throws {
        let branch =
            branchText.dropLast() + ", \"y\": {\"z\": [1, 2.50]}, \"public_key_id\": null}"
        let tag = "{\"name\": \"v1\", \"w\": \"\\u00e9\"}"
        let text =
            "{\"q\": 1e2, \"tags\": [\(tag), 7], \"branches\": [\(branch)], \"p\": null, "
            + "\"features\": [\"b\", \"a\"], \"format\": 1}"
        let found = try edited(text) { index in
            try index.add(feature: Self.bytes("c"))
            try index.raise(format: 2)
            try index.raise(minimumClient: Self.bytes("0.20.0"))
            index.add(try self.branch())
        }
        let added =
            "{\"branch_id\": \"branch-clone-0123456789abcdef\", \"name\": \"local\", "
            + "\"branch_type\": \"clone\", \"head_ref_id\": \"ref-pid-snw-0123456789ab\", "
            + "\"public_key_id\": null, \"private_key_id\": null, \"created_at\": 5, "
            + "\"creator_branch\": null, \"display_name\": null}"
        #expect(
            found
                == "{\"schema\": \"branch_index_v1\", \"format\": 2, \"min_client\": \"0.20.0\", "
                + "\"branches\": [\(branch), \(added)], "
                + "\"features\": [\"b\", \"a\", \"c\", \"ids-128\"], \"tags\": [\(tag), 7], "
                + "\"q\": 1e2, \"p\": null}")
    }

    @Test func writesEveryMemberOfABranch() throws {
        var full = try branch()
        full.key = Self.bytes("key-rnd-imm-01234567")
        full.creator = Self.bytes("branch-named-01234567")
        full.displayName = Self.bytes("desk")
        full.createdAt = .text("2026-11-30T19:43:35Z")
        _ = try edited { $0.add(full) }
        #expect(try new.open().index()?.branches == [full])
    }

    // MARK: - The format

    @Test func raisesTheFormatAndBringsItsFeature() throws {
        let found = try edited("{}") { try $0.raise(format: 2) }
        #expect(found.contains("\"format\": 2") && found.contains("[\"ids-128\"]"))
        let again = try edited { try $0.raise(format: 2) }
        #expect(again == found)
        #expect(try new.open().index()?.gate.idWidth == .hex32)
    }

    @Test func addsTheFeatureOfAFormatThatLacksIt() throws {
        let found = try edited("{\"format\": 2}") { try $0.raise(format: 2) }
        #expect(found.contains("[\"ids-128\"]"))
    }

    @Test func neverLowersTheFormat() throws {
        let refused = refusal("{\"format\": 2}") { try $0.raise(format: 1) }
        #expect(refused == "the format never goes down")
        #expect(try new.text(new.indexFile) == "{\"format\": 2}")
    }

    @Test func leavesAnIndexWithoutAFormatAtOne() throws {
        #expect(try edited("{}") { try $0.raise(format: 1) } == "{}")
        let hold = try new.hold()
        try hold.editIndex { try $0.raise(format: 1) }
    }

    // MARK: - The oldest client

    @Test(arguments: [
        ("{}", "0.1.0"), ("{\"min_client\": null}", "0.26.0"),
        ("{\"min_client\": \"0.20.0\"}", "0.20.1"),
        ("{\"min_client\": \"nonsense\"}", "0.20.1"),
    ])
    func raisesTheOldestClient(text: String, version: String) throws {
        let found = try edited(text) { try $0.raise(minimumClient: Self.bytes(version)) }
        #expect(found.contains("\"min_client\": \"\(version)\""))
    }

    @Test(arguments: ["0.20.0", "v0.20.0", "0.20.0-rc1"])
    func leavesAnOldestClientOfThatVersion(version: String) throws {
        let text = "{\"min_client\": \"\(version)\"}"
        #expect(try edited(text) { try $0.raise(minimumClient: Self.bytes("0.20.0")) } == text)
    }

    @Test func neverLowersTheOldestClientAndShutsItselfNotOut() {
        let text = "{\"min_client\": \"0.20.0\"}"
        #expect(
            refusal(text) { try $0.raise(minimumClient: Self.bytes("0.19.9")) }
                == "the minimum never goes down")
        for version in ["0.26.1", "1.0.0", "x"] {
            #expect(
                refusal(text) { try $0.raise(minimumClient: Self.bytes(version)) }
                    == "this release answers for no client so new")
        }
    }

    // MARK: - Features

    @Test func addsAFeatureOnceAtTheEnd() throws {
        let found = try edited("{\"features\": [\"z\", \"a\"]}") {
            try $0.add(feature: Self.bytes("m"))
            try $0.add(feature: Self.bytes("z"))
        }
        #expect(found.contains("\"features\": [\"z\", \"a\", \"m\"]"))
    }

    @Test func addsNoPacks() {
        let refused = refusal("{}") { try $0.add(feature: Self.bytes("packs")) }
        #expect(refused == "this release writes no packs")
    }

    // MARK: - When it is written

    @Test func writesNothingWhereNothingChanges() throws {
        try new.hold().editIndex { _ in }
        #expect(try new.names("indexes").isEmpty)
        try new.seal("{\"features\": [\"x\"], \"z\": 1}", as: new.indexFile)
        let before = try new.bytes(new.indexFile)
        try new.hold().editIndex { try $0.add(feature: Self.bytes("x")) }
        #expect(try new.bytes(new.indexFile) == before)
    }

    @Test func writesNothingWhereTheEditThrows() throws {
        struct Enough: Error {}
        try new.seal("{}", as: new.indexFile)
        let before = try new.bytes(new.indexFile)
        let hold = try new.hold()
        #expect(throws: Enough.self) {
            try hold.editIndex { index in
                index.add(try branch())
                throw Enough()
            }
        }
        #expect(try new.bytes(new.indexFile) == before)
        #expect(try new.names("indexes").count == 1)
    }

    @Test func refusesAnIndexPastItsLargestSize() throws {
        let hold = try new.hold()
        let long = [UInt8](repeating: 0x61, count: BranchIndex.limit)
        #expect(throws: StoreError.self) {
            try hold.editIndex { index in
                var branch = try branch()
                branch.displayName = long
                index.add(branch)
            }
        }
        #expect(try new.names("indexes").isEmpty)
    }

    @Test func seesItsOwnEdits() throws {
        let store = try new.open()
        let hold = try StoreHold(on: store, random: .system, runtimeFolder: nil)
        let count = try hold.editIndex { index in
            index.add(try branch())
            return index.branches.count
        }
        #expect(count == 1)
        #expect(try store.index()?.branches == [branch()])
        #expect(
            try store.branch(id: Self.bytes("branch-clone-0123456789abcdef"))
                == branch())
    }

    // MARK: - New branches

    private func newBranch(
        _ hold: StoreHold, _ name: String, _ kind: BranchIndex.Branch.Kind, ref: String? = nil
    ) throws -> BranchIndex.Branch {
        try hold.newBranch(
            named: Self.bytes(name), kind, ref: ref.map(Self.bytes), time: 5)
    }

    @Test func givesTheFirstBranchesTheRefsOfTheKey() throws {
        let ids = try new.open().ids
        let hold = try new.hold()
        let current = try newBranch(hold, "current", .named)
        let local = try newBranch(hold, "local", .clone)
        #expect(current.ref.elementsEqual(ids.mainRef.utf8))
        #expect(local.ref.elementsEqual(ids.firstCloneRef.utf8))
        #expect(current.kind == .named && local.kind == .clone)
        #expect(current.createdAt == .integer(5) && current.key == nil)
        #expect(DocumentRules.isBranchID(current.id) && DocumentRules.isBranchID(local.id))
        #expect(current.id.starts(with: "branch-named-".utf8))
        #expect(local.id.starts(with: "branch-clone-".utf8))
        try hold.editIndex { $0.add(local) }
        let second = try newBranch(hold, "local", .clone)
        #expect(second.ref != local.ref && second.id != local.id)
        #expect(second.ref.starts(with: "ref-pid-snw-".utf8))
        #expect(DocumentRules.isRefID(second.ref))
    }

    @Test func givesOtherBranchesRefsOfTheirOwn() throws {
        let hold = try new.hold()
        let named = try newBranch(hold, "other", .named)
        #expect(DocumentRules.isRefID(named.ref) && named.ref.starts(with: "ref-pid-muw-".utf8))
        #expect(try newBranch(hold, "other", .named).ref != named.ref)
        let given = try newBranch(hold, "current", .named, ref: "ref-pid-muw-0123456789ab")
        #expect(given.ref == Self.bytes("ref-pid-muw-0123456789ab"))
    }

    @Test func refusesASecondNamedBranchOfOneName() throws {
        try new.seal("{\"branches\": [\(branchText)]}", as: new.indexFile)
        let hold = try new.hold()
        #expect(throws: StoreError.self) { try newBranch(hold, "current", .named) }
        #expect(try newBranch(hold, "current", .clone).kind == .clone)
    }

    // MARK: - Keys

    @Test func storesAKeyOnceAsSgitDoes() throws {
        let fixture = Fixture("signatures")
        let vault = try fixture.vault()
        let cipher = TestKeys.cipher(try vault.hex("read_key"))
        let keyID = try #require(try vault.rows("branches").first).text("public_key_id")
        let stored = try cipher.open(
            TestFiles.read("Fixtures/signatures/bare/keys/\(keyID)"), limit: PublicKeys.limit)
        let key = try #require(P256.PublicKey(pem: PublicKeys.decode(stored)))

        let hold = try new.hold()
        let id = try hold.add(key)
        #expect(DocumentRules.isKeyID(id))
        let name = String(decoding: id, as: UTF8.self)
        #expect(try new.text("keys/" + name) == String(decoding: stored, as: UTF8.self))
        #expect(try hold.add(key) == id)
        #expect(try new.names("keys") == [name])
        #expect(try hold.add(P256.PrivateKey().publicKey) != id)
        #expect(try new.names("keys").count == 2)
        #expect(try new.open().keys.id(of: key) == id)
    }

    @Test func findsAStoredKeyWhoseLinesEndOtherwise() throws {
        let key = P256.PrivateKey().publicKey
        let pem = String(decoding: key.pem, as: UTF8.self).replacing("\n", with: "\\r\\n")
        try new.seal("{\"pem\": \"\(pem)\"}", as: "keys/key-rnd-imm-0123456789abcdef")
        let found = try new.hold().add(key)
        #expect(found == Self.bytes("key-rnd-imm-0123456789abcdef"))
    }
}
