import Cryptography
import Devices
import Foundation
import Objects
import Store
import TestSupport
import Testing

@Suite struct DeviceCommitTests {
    private let vault: DeviceVault

    init() throws { vault = try DeviceVault() }

    /// Makes a commit of these changes: a text to put, nil to remove.
    @discardableResult
    private func make(
        _ changes: [(String, String?)], message: String = "why", time: Int = 1_800_000_000_000,
        random: RandomBytes = .system, in vault: DeviceVault? = nil
    ) throws -> ObjectID {
        let vault = vault ?? self.vault
        let store = try vault.store()
        let objects = try NewObjects(in: store, random: random)
        var edit = TreeEdit()
        for (path, text) in changes {
            let names = try vaultPath(path)
            guard let text else {
                edit.ask(.remove, at: names)
                continue
            }
            let bytes = Array(text.utf8)
            let id = try objects.write(blobInRoom: EnvelopeLayout.room(for: bytes))
            let facts = BlobFacts(of: bytes[...], name: bytes, storedSize: 40)
            edit.ask(.put(id, facts), at: names)
        }
        return try DeviceCommit(
            vault.copy(), store,
            hold: { try StoreHold(on: store, random: random, runtimeFolder: nil) }
        ).make(edit, objects, message: Array(message.utf8), time: time)
    }

    /// The paths of the files of a commit.
    private func files(_ id: ObjectID) throws -> [String] {
        let store = try vault.store()
        var files: [String] = []
        try TreeWalk(store.objects).run(store.objects.commit(id).tree) { path, entry in
            if entry.target.kind == .blob {
                files.append(String(decoding: PrettyLayout.path(path), as: UTF8.self))
            }
            return .enter
        }
        return files.sorted()
    }

    private func count(_ part: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: vault.layout.bare + "/" + part).count
    }

    private func refBytes() throws -> [Data] {
        try [vault.deviceRef, vault.sharedRef].map {
            try Data(contentsOf: URL(fileURLWithPath: vault.layout.refs + "/" + $0))
        }
    }

    // MARK: - One commit

    @Test func makesOneSignedCommitOnTheHeadAndMovesBothRefs() throws {
        let root = try vault.commit(["a", "b"])
        try vault.point(device: root, shared: root)
        let before = try count("data")
        let id = try make([("d/n", "new"), ("b", nil)])
        // The blob, its folder, the root and the commit.
        #expect(try count("data") == before + 4)
        #expect(try vault.head(vault.deviceRef) == id && vault.head(vault.sharedRef) == id)
        let store = try vault.store()
        let commit = try store.objects.commit(id)
        #expect(commit.parents == [root] && commit.time == 1_800_000_000_000)
        #expect(commit.branch == vault.device.id && commit.authorKey == vault.keyID)
        #expect(try store.verdict(on: commit) == .verified)
        #expect(try store.objects.message(of: commit, id) == Array("why".utf8))
        #expect(try files(id) == ["a", "d/n"])
    }

    @Test func makesTheFirstCommitOfABranchWithoutOne() throws {
        let id = try make([("a", "text")], message: "")
        let commit = try vault.store().objects.commit(id)
        #expect(commit.parents.isEmpty && commit.parentItems == [])
        #expect(commit.sealedMessage == nil)
        #expect(try files(id) == ["a"])
        #expect(try vault.head(vault.deviceRef) == id && vault.head(vault.sharedRef) == id)
    }

    @Test func makesNoCommitWhereNothingChanges() throws {
        let head = try make([("a", "text")])
        let (commits, refs) = (try count("data"), try refBytes())
        // The same text again, sealed to another blob, is a change; the same blob is none.
        let store = try vault.store()
        let tree = try store.objects.tree(store.objects.commit(head).tree)
        let entry = try #require(tree.entry(named: [0x61]))
        guard case .blob(let blob, let facts) = entry.target else {
            Issue.record("no blob")
            return
        }
        var edit = TreeEdit()
        edit.ask(.put(blob, facts), at: [entry.name])
        for edit in [TreeEdit(), edit] {
            let objects = try NewObjects(in: store, random: .system)
            let made = try DeviceCommit(
                vault.copy(), store,
                hold: { try StoreHold(on: store, random: .system, runtimeFolder: nil) }
            ).make(edit, objects, message: [], time: 6)
            #expect(made == head)
            #expect(try count("data") == commits)
            #expect(try refBytes() == refs)
        }
    }

    @Test func leavesTheSharedRefToTheRemoteWhereThereIsOne() throws {
        let root = try vault.commit(["a"])
        try vault.point(device: root, shared: root)
        try vault.writeLocal("remote_heads.json", [])
        let id = try make([("n", "new")])
        #expect(try vault.head(vault.deviceRef) == id && vault.head(vault.sharedRef) == root)
        // The next one goes on from there.
        let next = try make([("m", "new")])
        #expect(try vault.store().objects.commit(next).parents == [id])
        #expect(try vault.head(vault.sharedRef) == root)
    }

    @Test func commitsOnTheSharedHeadWhereThatIsNewer() throws {
        let root = try vault.commit(["a"])
        let newer = try vault.commit(["a", "b"], on: [root])
        try vault.point(device: root, shared: newer)
        let id = try make([("n", "new")])
        #expect(try vault.store().objects.commit(id).parents == [newer])
        #expect(try files(id) == ["a", "b", "n"])
        #expect(try vault.head(vault.deviceRef) == id && vault.head(vault.sharedRef) == id)
    }

    @Test func makesTheCommitAnewOnAHeadThatCameMeanwhile() throws {
        let root = try vault.commit(["a"])
        let meanwhile = try vault.commit(["a", "b"], on: [root])
        try vault.point(device: root, shared: root)
        // The nonce of the message is asked for once the heads were read.
        var asked = 0
        let vault = vault
        let random = RandomBytes { target in
            asked += 1
            if asked == 2 { try? vault.point(device: nil, shared: meanwhile) }
            RandomBytes.system.write(into: target)
        }
        let id = try make([("n", "new")], random: random)
        #expect(asked > 3)
        #expect(try vault.store().objects.commit(id).parents == [meanwhile])
        #expect(try files(id) == ["a", "b", "n"])
        #expect(try vault.head(vault.deviceRef) == id && vault.head(vault.sharedRef) == id)
    }

    @Test func givesUpOnAHeadThatNeverRests() throws {
        var heads = [try vault.commit(["a"])]
        try vault.point(device: heads[0], shared: heads[0])
        for number in 0..<20 {
            heads.append(try vault.commit(["a", "\(number)"], on: [heads[number]]))
        }
        var next = 1
        let vault = vault
        let random = RandomBytes { target in
            if next < heads.count { try? vault.point(device: nil, shared: heads[next]) }
            next += 1
            RandomBytes.system.write(into: target)
        }
        #expect(throws: StoreError.self) { try make([("n", "new")], random: random) }
        #expect(try vault.head(vault.deviceRef) == heads[0])
        #expect(next < heads.count)
    }

    // MARK: - Refusals

    /// The case that a commit throws, once it is shown that no ref has moved.
    private func refusal(
        _ vault: DeviceVault, _ changes: [(String, String?)] = [("n", "new")]
    ) throws -> String {
        let before = [try vault.head(vault.deviceRef), try vault.head(vault.sharedRef)]
        var failure = "none"
        do {
            try make(changes, in: vault)
        } catch DeviceError.readOnly {
            failure = "readOnly"
        } catch DeviceError.noSigningKey {
            failure = "noSigningKey"
        } catch DeviceError.diverged {
            failure = "diverged"
        } catch TreeEditError.noSuchPath {
            failure = "noSuchPath"
        } catch TreeEditError.fileInTheWay {
            failure = "fileInTheWay"
        } catch {
            failure = "\(error)"
        }
        #expect([try vault.head(vault.deviceRef), try vault.head(vault.sharedRef)] == before)
        return failure
    }

    @Test func movesNothingWhereTheHeadsDiverge() throws {
        let (one, other) = (try vault.commit(["a"]), try vault.commit(["b"]))
        try vault.point(device: one, shared: other)
        #expect(try refusal(vault) == "diverged")
    }

    @Test func movesNothingWhereTheChangeIsRefused() throws {
        let root = try vault.commit(["a"])
        try vault.point(device: root, shared: root)
        #expect(try refusal(vault, [("absent", nil)]) == "noSuchPath")
        #expect(try refusal(vault, [("n", "new"), ("a/b", "new")]) == "fileInTheWay")
    }

    @Test func makesNoCommitInACopyWithoutABranch() throws {
        try vault.configure("{}")
        #expect(try refusal(vault) == "readOnly")
    }

    @Test func makesNoCommitWithoutItsOwnKey() throws {
        let name = String(decoding: vault.keyID, as: UTF8.self)
        try vault.writeLocal(name + ".pem", TestKeys.bytes(P256.PrivateKey().pem))
        #expect(try refusal(vault) == "noSigningKey")
        try vault.writeLocal(name + ".pem", Array("garbage".utf8))
        #expect(try refusal(vault) == "noSigningKey")
        try vault.remove(".sg_vault/local/\(name).pem")
        #expect(try refusal(vault) == "noSigningKey")
        try vault.writeLocal(name + ".pem", TestKeys.bytes(vault.key.pem))
        try vault.remove(".sg_vault/bare/keys/\(name)")
        #expect(try refusal(vault) == "noSigningKey")
        let keyless = try DeviceVault { $0.key = nil }
        #expect(try refusal(keyless) == "noSigningKey")
    }
}
