import Cryptography
import Devices
import Foundation
import Objects
import SecretMemory
import Store
import TestSupport
import Testing

/// A vault with a branch and a key of this device, made part by part so that each can be another one.
final class DeviceVault {
    let place = TemporaryFolder()
    let key = P256.PrivateKey()
    let cipher = TestKeys.cipher()
    let layout: StoreLayout
    let keyID: [UInt8]
    let shared: BranchIndex.Branch
    let device: BranchIndex.Branch

    /// - Parameter change: what is to be other about this device's branch.
    init(_ change: (inout BranchIndex.Branch) -> Void = { _ in }) throws {
        for part in ["bare/data", "bare/refs", "local"] {
            try FileManager.default.createDirectory(
                atPath: place.path + "/.sg_vault/" + part, withIntermediateDirectories: true)
        }
        layout = try #require(StoreLayout(at: place.path))
        let store = try BareStore(layout, cipher: cipher)
        let hold = try StoreHold(on: store, random: .system, runtimeFolder: nil)
        keyID = try hold.add(key.publicKey)
        shared = try hold.newBranch(
            named: Array("current".utf8), .named, ref: nil, time: 5)
        var branch = try hold.newBranch(
            named: Array("local".utf8), .clone, ref: nil, time: 5)
        branch.key = keyID
        branch.creator = shared.id
        change(&branch)
        device = branch
        try hold.editIndex { [shared, device] index in
            index.add(shared)
            index.add(device)
        }
        try writeLocal(String(decoding: keyID, as: UTF8.self) + ".pem", TestKeys.bytes(key.pem))
        try configure("{\"my_branch_id\": \"\(String(decoding: device.id, as: UTF8.self))\"}")
    }

    func writeLocal(_ name: String, _ bytes: [UInt8]) throws {
        try place.write(".sg_vault/local/" + name, bytes)
    }

    func configure(_ text: String) throws { try writeLocal("config.json", Array(text.utf8)) }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: place.path + "/" + path)
    }

    /// The store as another process would open it.
    func store() throws -> BareStore { try BareStore(layout, cipher: cipher) }

    func copy() throws -> WorkingCopy { try #require(try WorkingCopy.find(at: layout)) }

    var deviceRef: String { String(decoding: device.ref, as: UTF8.self) }
    var sharedRef: String { String(decoding: shared.ref, as: UTF8.self) }

    func head(_ ref: String) throws -> ObjectID? { try store().refs.read(ref).head }

    /// Writes a commit of the files with these names, and moves no ref.
    func commit(_ names: [String], on parents: [ObjectID] = []) throws -> ObjectID {
        let objects = try NewObjects(in: store(), random: .system)
        let entries = try names.map { name in
            let bytes = Array(name.utf8)
            let blob = try objects.write(blobInRoom: EnvelopeLayout.room(for: bytes))
            return TreeEntry(
                name: try #require(EntryName(bytes)),
                target: .blob(blob, BlobFacts(of: bytes[...], name: bytes, storedSize: 40)))
        }
        let id = try objects.write(
            Commit(
                tree: objects.write(Tree(sorting: entries)), parents: parents,
                sealedMessage: nil, branch: device.id, time: 5))
        try objects.flush()
        return id
    }

    /// Puts the refs where a test wants them, whatever they hold; nil leaves one as it is.
    func point(device: ObjectID?, shared: ObjectID?) throws {
        for (ref, id) in [(deviceRef, device), (sharedRef, shared)] {
            guard let id else { continue }
            let sealed = cipher.seal(Refs.encode(id), nonce: RandomBytes.system.bytes(12))
            try Data(sealed).write(to: URL(fileURLWithPath: layout.refs + "/" + ref))
        }
    }
}

/// The names of a path in a vault.
func vaultPath(_ text: String) throws -> [EntryName] {
    try text.split(separator: "/").map { try #require(EntryName(Array($0.utf8))) }
}
