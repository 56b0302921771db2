package import Cryptography
import Encodings
import FileSystem
import Objects
import SecretMemory
import Store
import VaultKeys

/// A new vault, with this device's branch and key in it.
package struct NewVault {
    /// 1 or 2.
    private let format: Int
    /// What a person calls this device.
    private let deviceName: String
    /// Milliseconds since 1970.
    private let time: Int
    private let random: RandomBytes
    private let runtimeFolder: String?

    private static let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz0123456789"
    private static let passphraseCount = 26
    private static let vaultIDCount = 12

    package init(
        format: Int, deviceName: String, time: Int, random: RandomBytes, runtimeFolder: String?
    ) {
        self.format = format
        self.deviceName = deviceName
        self.time = time
        self.random = random
        self.runtimeFolder = runtimeFolder
    }

    /// Makes `path/.sg_vault`, which appears whole or not at all, and returns the vault's id.
    ///
    /// - Throws: `DeviceError.vaultExists`.
    package func make(at path: String) throws -> String {
        try Folder.make(path)
        let root = try Folder(path)
        let hold = try DirectoryHold(on: path, runtimeFolder: runtimeFolder)
        defer { withExtendedLifetime(hold) {} }
        // A folder of that name alone is anybody's; with refs beside it, it is a bare store.
        let isBare = Folder.exists(path + "/data") && Folder.exists(path + "/refs")
        guard try !root.contains(".sg_vault"), !isBare, StoreLayout(at: path + "/bare") == nil
        else {
            throw DeviceError.vaultExists(path: path)
        }
        try removeLeftovers(in: root)
        let digits = String(decoding: Hex.encode(random.bytes(4)), as: UTF8.self)
        let temporary = ".sg_vault.\(digits)\(PendingFile.ending)"
        do {
            let folder = try root.folderMade(temporary)
            let vaultID = try fill(folder)
            try folder.syncFileSystem()
            guard try root.rename(temporary, to: ".sg_vault") else {
                throw DeviceError.vaultExists(path: path)
            }
            try root.sync()
            return vaultID
        } catch {
            // Whatever it was, nothing half made may stay; that it was never made is no second fault.
            try removeLeftovers(in: root)
            throw error
        }
    }

    /// What was left by one that was killed.
    private func removeLeftovers(in root: Folder) throws {
        for name in try root.names()
        where name.hasPrefix(".sg_vault.") && name.hasSuffix(PendingFile.ending) {
            try root.removeTree(name)
        }
    }

    // MARK: -

    private func fill(_ folder: Folder) throws -> String {
        let vaultID = random.secret(NewVault.vaultIDCount, of: NewVault.alphabet)
            .withBytes { VaultID(Array($0)) }
        guard let vaultID else { preconditionFailure("a vault id of its own alphabet") }
        let key = VaultKey(
            passphrase: random.secret(NewVault.passphraseCount, of: NewVault.alphabet),
            vaultID: vaultID)
        let local = try folder.folderMade("local", mode: 0o700)
        let bare = try folder.folderMade("bare")
        for part in ["data", "refs", "indexes", "keys"] { _ = try bare.folderMade(part) }
        guard let layout = StoreLayout(at: bare.path) else {
            preconditionFailure("a store that was just made is none")
        }
        let store = try BareStore(layout, cipher: EnvelopeCipher(key.readKey()))
        let branch = try fill(store, local)
        try local.replace("vault_key", with: written(key))
        try local.replace("config.json", with: configuration(branch), mode: 0o600)
        try local.replace(
            "checkout.json", with: Array("{\"version\":1,\"paths\":[]}".utf8), mode: 0o600)
        return String(decoding: vaultID.bytes, as: UTF8.self)
    }

    /// The index, this device's key and branch, and an empty first commit; returns the branch's id.
    private func fill(_ store: BareStore, _ local: Folder) throws -> [UInt8] {
        let hold = try StoreHold(on: store, random: random, runtimeFolder: runtimeFolder)
        let key = P256.PrivateKey()
        let keyID = try hold.add(key.publicKey)
        try local.replace(String(decoding: keyID, as: UTF8.self) + ".pem", with: key.pem)

        let shared = try hold.newBranch(
            named: Array("current".utf8), .named, ref: nil, time: time)
        var device = try hold.newBranch(
            named: Array("local".utf8), .clone, ref: nil, time: time)
        device.key = keyID
        device.creator = shared.id
        device.displayName = Array(deviceName.utf8)
        try hold.editIndex { index in
            if format == 2 { try index.raise(format: 2) }
            index.add(shared)
            index.add(device)
        }

        let objects = try NewObjects(in: store, random: random)
        let commit = Commit(
            tree: try objects.write(Tree(entries: [])), parents: [],
            sealedMessage: objects.sealMessage(Array("init".utf8)), branch: device.id, time: time
        ).signed(with: key, id: keyID)
        let head = try objects.write(commit)
        try objects.flush()
        let transaction = RefTransaction(hold)
        try transaction.prepare(
            [device.ref, shared.ref].map {
                .init(ref: String(decoding: $0, as: UTF8.self), expected: .nothing, new: head)
            })
        try transaction.commit()
        return device.id
    }

    /// `sgit_private_vault_<passphrase>:<vault id>`.
    private func written(_ key: VaultKey) -> SecretBytes {
        let prefix = Array("sgit_private_vault_".utf8)
        let ending = Array(":".utf8) + key.vaultID.bytes
        let count = prefix.count + key.passphrase.count + ending.count
        return SecretBytes(count: count) { target in
            target.copyBytes(from: prefix)
            key.passphrase.withBytes { passphrase in
                UnsafeMutableRawBufferPointer(rebasing: target[prefix.count...])
                    .copyMemory(from: passphrase)
            }
            UnsafeMutableRawBufferPointer(rebasing: target[(count - ending.count)...])
                .copyBytes(from: ending)
            return count
        }
    }

    /// Settings with which sgit works in the folder without files in it: sparse, and nothing checked out.
    private func configuration(_ branch: [UInt8]) -> [UInt8] {
        Array(
            """
            {
              "my_branch_id": "\(String(decoding: branch, as: UTF8.self))",
              "mode": null,
              "sparse": true,
              "pack_store": false,
              "publish_visibility": null,
              "last_remote_head": null,
              "remote_heads_file": false,
              "scope_paths": [],
              "shallow_boundaries": []
            }
            """.utf8)
    }
}
