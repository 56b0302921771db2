import Cryptography
import Devices
import Encodings
import FileSystem
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

/// What a new vault holds, and what is left where none is made.
@Suite struct NewVaultContentTests {
    private let place = TemporaryFolder()

    private func vault(_ format: Int = 1, random: RandomBytes = .system) -> NewVault {
        NewVault(
            format: format, deviceName: "desk", time: 1_800_000_000_000, random: random,
            runtimeFolder: nil)
    }

    private func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path + "/" + folder).sorted()
    }

    /// The store of a vault, opened with the key that the device keeps.
    private func open(_ vaultID: String) throws -> BareStore {
        let file = place.path + "/.sg_vault/local/vault_key"
        let text = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        let (prefix, ending) = ("sgit_private_vault_", ":" + vaultID)
        try #require(text.hasPrefix(prefix) && text.hasSuffix(ending))
        let passphrase = String(text.dropFirst(prefix.count).dropLast(ending.count))
        #expect(passphrase.utf8.count == 26)
        #expect(passphrase.utf8.allSatisfy { $0.isDigit || $0.isLowercase })
        let id = try #require(VaultID(Array(vaultID.utf8)))
        let key = VaultKey(passphrase: TestKeys.secret(passphrase), vaultID: id)
        return try BareStore(
            try #require(StoreLayout(at: place.path)), cipher: EnvelopeCipher(key.readKey()))
    }

    // MARK: - What it holds

    @Test(arguments: [(1, ObjectID.Width.hex12), (2, .hex32)])
    func holdsOneSignedCommitOfAnEmptyTree(format: Int, width: ObjectID.Width) throws {
        let id = try vault(format).make(at: place.path)
        #expect(id.utf8.count == 12)
        let store = try open(id)
        let index = try #require(try store.index())
        #expect(index.gate.effectiveFormat == format)
        #expect(
            index.gate.features.map { String(decoding: $0, as: UTF8.self) }
                == (format == 2 ? ["ids-128"] : []))
        #expect(index.branches.map(\.kind) == [.named, .clone])
        let (shared, device) = (index.branches[0], index.branches[1])
        #expect(shared.name == Array("current".utf8) && device.name == Array("local".utf8))
        #expect(device.creator == shared.id && device.displayName == Array("desk".utf8))
        #expect(device.ref.elementsEqual(store.ids.firstCloneRef.utf8))
        #expect(try store.mainRef() == store.ids.mainRef)

        let head = try #require(try store.refs.read(store.ids.mainRef).head)
        #expect(try store.refs.read(store.ids.firstCloneRef) == .head(head))
        #expect(head.width == width)
        let commit = try store.objects.commit(head)
        #expect(commit.parents.isEmpty && commit.time == 1_800_000_000_000)
        #expect(commit.branch == device.id && commit.authorKey == device.key)
        #expect(try store.verdict(on: commit) == .verified)
        #expect(try store.objects.message(of: commit, head) == Array("init".utf8))
        #expect(try store.objects.tree(commit.tree).entries.isEmpty)
        #expect(try store.objects.ids().count == 2)
    }

    @Test func keepsEverySecretOfTheDeviceToItsOwner() throws {
        try vault().make(at: place.path)
        let local = place.path + "/.sg_vault/local"
        let folder = try FileManager.default.attributesOfItem(atPath: local)
        #expect(folder[.posixPermissions] as? Int == 0o700)
        let files = try names(".sg_vault/local")
        #expect(files.count == 4 && files.contains { $0.hasSuffix(".pem") })
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: local + "/" + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
    }

    @Test func holdsACommitOfThisDevice() throws {
        let id = try vault().make(at: place.path)
        let store = try open(id)
        let copy = try #require(try WorkingCopy.find(at: store.layout))
        let objects = try NewObjects(in: store, random: .system)
        let bytes = Array("hello".utf8)
        var edit = TreeEdit()
        edit.ask(
            .put(
                try objects.write(blobInRoom: EnvelopeLayout.room(for: bytes)),
                BlobFacts(of: bytes[...], name: bytes, storedSize: 33)), at: try vaultPath("a/b"))
        let head = try DeviceCommit(
            copy, store, hold: { try StoreHold(on: store, random: .system, runtimeFolder: nil) }
        ).make(edit, objects, message: [], time: 5)
        #expect(try store.verdict(on: store.objects.commit(head)) == .verified)
        #expect(try store.refs.read(store.ids.mainRef) == .head(head))
    }

    @Test func makesTheFoldersOnTheWayAndLeavesWhatIsThere() throws {
        try place.write("kept", [1, 2])
        try vault().make(at: place.path + "/a/b")
        #expect(try names() == ["a", "kept"] && names("a/b") == [".sg_vault"])
        #expect(try names("a/b/.sg_vault") == ["bare", "local"])
    }

    // MARK: - Leftovers

    @Test func clearsAwayWhatAKilledOneLeft() throws {
        for name in [".sg_vault.01234567.sgtmp/bare/data", ".sg_vault.89abcdef.sgtmp"] {
            try FileManager.default.createDirectory(
                atPath: place.path + "/" + name, withIntermediateDirectories: true)
        }
        try place.write(".sg_vault.01234567.sgtmp/bare/data/file", [1])
        for name in [".sg_vaul.01234567.sgtmp", "x.sgtmp"] { try place.write(name, [1]) }
        try vault().make(at: place.path)
        #expect(try names() == [".sg_vaul.01234567.sgtmp", ".sg_vault", "x.sgtmp"])
    }

    @Test func leavesNothingWhereItFails() throws {
        // Once the vault's own folder is there, something comes in the way of a file in it.
        let path = place.path
        var isInTheWay = false
        let random = RandomBytes { target in
            RandomBytes.system.write(into: target)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            for name in names where name.hasSuffix(".sgtmp") {
                let folder = path + "/" + name + "/local/vault_key"
                isInTheWay = mkdir(folder, 0o700) == 0 || isInTheWay
            }
        }
        #expect(throws: FileError.self) { try vault(random: random).make(at: path) }
        #expect(isInTheWay)
        #expect(try names().isEmpty)
        // And then one can be made there.
        try vault().make(at: path)
        #expect(try names() == [".sg_vault"])
    }

    @Test(arguments: [["bare/data"], ["bare/refs"], ["data", "refs"], [".sg_vault"]])
    func makesNoneBesideAnother(folders: [String]) throws {
        for folder in folders {
            try FileManager.default.createDirectory(
                atPath: place.path + "/" + folder, withIntermediateDirectories: true)
        }
        #expect(throws: DeviceError.self) { try vault().make(at: place.path) }
        #expect(try names().count == folders.count)
    }

    @Test func makesOneInAFolderWithDataOfAnotherKind() throws {
        try FileManager.default.createDirectory(
            atPath: place.path + "/data", withIntermediateDirectories: true)
        try vault().make(at: place.path)
        #expect(try names().sorted() == [".sg_vault", "data"])
    }

    @Test func makesNoneInPlaceOfAFile() throws {
        try place.write("file", [1])
        #expect(throws: FileError.self) { try vault().make(at: place.path + "/file") }
        #expect(try names() == ["file"])
    }
}
