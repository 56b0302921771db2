import Cryptography
import Encodings
import FileSystem
import Objects
import SecretMemory
import Store
import VaultKeys

/// A device's copy in the making: `.sg_vault` appears whole or not at all.
struct NewWorkingCopy {
    let random: RandomBytes
    let runtimeFolder: String?

    /// - Parameter fill: puts all into the folder but this device's record, which it returns if there is to be one.
    /// - Throws: `DeviceError.vaultExists`, and what `fill` throws; then nothing is left.
    func make(at path: String, fill: (Folder) throws -> DeviceRecord?) throws {
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
        try NewWorkingCopy.removeLeftovers(in: root)
        let digits = String(decoding: Hex.encode(random.bytes(4)), as: UTF8.self)
        let temporary = ".sg_vault.\(digits)\(PendingFile.ending)"
        do {
            let folder = try root.folderMade(temporary)
            if let record = try fill(folder) {
                try folder.replace(DeviceRecord.fileName, with: record.bytes, mode: 0o600)
            }
            try folder.syncFileSystem()
            guard try root.rename(temporary, to: ".sg_vault") else {
                throw DeviceError.vaultExists(path: path)
            }
            try root.sync()
        } catch {
            // Whatever it was, nothing half made may stay; that it was never made is no second fault.
            try NewWorkingCopy.removeLeftovers(in: root)
            throw error
        }
    }

    /// Takes away what one that was killed left of a copy, and the folder around it where nothing else is in there.
    static func clear(_ path: String) throws {
        guard let hold = DirectoryHold(free: path) else { return }
        defer { withExtendedLifetime(hold) {} }
        let root = try Folder(path)
        try removeLeftovers(in: root)
        if try root.items().isEmpty { try Folder.removeEmpty(path) }
    }

    /// What was left by one that was killed.
    private static func removeLeftovers(in root: Folder) throws {
        for name in try root.names()
        where name.hasPrefix(".sg_vault.") && name.hasSuffix(PendingFile.ending) {
            try root.removeTree(name)
        }
    }

    // MARK: - What stays on the device

    /// The settings of a copy that writes, and its key where it is kept.
    func writeSettings(_ local: Folder, branch: [UInt8], key: VaultKey?) throws {
        if let key { try local.replace("vault_key", with: KeyString.vaultKey(key).text) }
        try local.replace("config.json", with: settings(branch: branch), mode: 0o600)
        try local.replace(
            "checkout.json", with: Array("{\"version\":1,\"paths\":[]}".utf8), mode: 0o600)
    }

    /// The settings of a copy that only reads.
    func writeSettings(_ local: Folder, readOnly key: ReadKey) throws {
        let digits = String(decoding: key.secret.withBytes { Hex.encode(Array($0)) }, as: UTF8.self)
        let mode = JSONValue.object([
            .init("mode", .text("read-only")), .init("vault_id", .string(key.vaultID.bytes)),
            .init("read_key", .text(digits)), .init("branch_name", .text("current")),
        ])
        try local.replace("clone_mode.json", with: JSONWriter.write(mode, .stored), mode: 0o600)
        try local.replace("config.json", with: settings(branch: nil), mode: 0o600)
    }

    /// A signing key of this device: its public half into the store, its private one beside the settings.
    func makeKey(_ hold: StoreHold, _ local: Folder) throws -> (P256.PrivateKey, id: [UInt8]) {
        let key = P256.PrivateKey()
        let id = try hold.add(key.publicKey)
        try local.replace(String(decoding: id, as: UTF8.self) + ".pem", with: key.pem)
        return (key, id)
    }

    /// Settings with which sgit works in the folder without files in it: sparse, and nothing checked out.
    private func settings(branch: [UInt8]?) -> [UInt8] {
        let id = branch.map { "\"\(String(decoding: $0, as: UTF8.self))\"" } ?? "null"
        let mode = branch == nil ? "\"read_only\"" : "null"
        return Array(
            """
            {
              "my_branch_id": \(id),
              "mode": \(mode),
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
