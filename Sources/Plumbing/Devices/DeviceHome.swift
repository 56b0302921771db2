import FileSystem
package import Store
package import VaultKeys

/// The vaults that this device knows: a folder each, called by the vault's id.
///
///     <home>/<vault id>/.sg_vault/{bare,local}    the device's own copy, which sgit takes for a working copy
///     <home>/<vault id>/.sg_vault/device.json     what the device knows of the vault beside it
///
/// Outside `.sg_vault` sgit would take the record for a file of the vault, and commit it.
/// - Source: docs/devices.md.
package struct DeviceHome {
    package let path: String

    /// - Parameter path: absolute; it need not be there yet.
    package init(_ path: String) {
        self.path = path
    }

    /// Where the copy of a vault lies, or would.
    package func folder(of id: VaultID) -> String { path + "/" + id.text }

    /// The vault of that id; nil where this device does not know it.
    ///
    /// - Throws: `DeviceError.damagedConfiguration`, `FileError`.
    package func vault(_ id: VaultID) throws -> DeviceVault? {
        guard DeviceVault.isRecorded(at: folder(of: id)) else { return nil }
        return try DeviceVault(at: folder(of: id), id)
    }

    /// The vault whose copy lies in that folder; nil where this device has no record of it.
    package static func vault(at root: String) throws -> DeviceVault? {
        let name = root.utf8.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
        guard let id = VaultID(name), DeviceVault.isRecorded(at: root) else { return nil }
        return try DeviceVault(at: root, id)
    }

    /// Takes away what was left of copies in the making by processes that were killed.
    ///
    /// - Parameter path: of a file that is about to be begun; a vault that was begun for it, and killed before there
    ///   was a file, holds nothing, and nobody was told what opens it.
    package func clear(forNewFile path: String? = nil) throws {
        guard Folder.exists(self.path) else { return }
        for id in try Folder(self.path).names().compactMap({ VaultID(Array($0.utf8)) }) {
            if let vault = try vault(id) {
                guard let path, try vault.isUnbegun(path), DirectoryHold(free: vault.root) != nil
                else { continue }
                try Folder(vault.root).removeTree(".sg_vault")
            }
            guard !Folder.exists(folder(of: id) + "/.sg_vault") else { continue }
            try NewWorkingCopy.clear(folder(of: id))
        }
    }

    /// All of them, in order of their ids.
    package func vaults() throws -> [DeviceVault] {
        guard Folder.exists(path) else { return [] }
        return try Folder(path).names().compactMap { name in
            try VaultID(Array(name.utf8)).flatMap { try vault($0) }
        }
    }
}

/// One vault of this device: its copy and its record.
package final class DeviceVault {
    package let root: String
    package let id: VaultID
    package private(set) var record: DeviceRecord

    init(at root: String, _ id: VaultID) throws {
        self.root = root
        self.id = id
        record = try DeviceVault.read(root)
    }

    /// What a person calls it: as its first store is called, else by its id.
    package var name: String { record.stores.first?.name ?? id.text }

    package func layout() throws -> StoreLayout {
        guard let layout = StoreLayout(at: root + "/.sg_vault/bare") else {
            throw DeviceError.damagedConfiguration(path: root + "/.sg_vault/bare")
        }
        return layout
    }

    /// - Throws: `DeviceError.damagedConfiguration`.
    package func copy() throws -> WorkingCopy {
        guard let copy = try WorkingCopy.find(at: layout()) else {
            throw DeviceError.damagedConfiguration(path: root)
        }
        return copy
    }

    /// Whether it was made to be saved at that path and never was, and holds its empty first commit alone.
    fileprivate func isUnbegun(_ path: String) throws -> Bool {
        guard record.stores.count == 1, record.stores[0].path == path,
            record.stores[0].lastSeen == nil
        else { return false }
        return try Folder(root + "/.sg_vault/bare/data").names().count == 2
    }

    /// Takes the hold on the device's copy, and reads the record again.
    func hold(runtimeFolder: String?) throws -> DirectoryHold {
        let hold = try DirectoryHold(on: root, runtimeFolder: runtimeFolder)
        record = try DeviceVault.read(root)
        return hold
    }

    /// Changes the record: only right under the hold.
    func update(_ change: (inout DeviceRecord) -> Void) throws {
        var new = record
        change(&new)
        guard new.document != record.document else { return }
        try DeviceVault.write(new, in: root)
        record = new
    }

    fileprivate static func isRecorded(at root: String) -> Bool {
        StoredFile.identity(at: place(root) + "/" + DeviceRecord.fileName) != nil
    }

    /// The folder that the record lies in.
    private static func place(_ root: String) -> String { root + "/.sg_vault" }

    private static func read(_ root: String) throws -> DeviceRecord {
        try DeviceRecord(
            Folder(place(root)).read(DeviceRecord.fileName, limit: DeviceRecord.limit),
            path: place(root) + "/" + DeviceRecord.fileName)
    }

    private static func write(_ record: DeviceRecord, in root: String) throws {
        let folder = try Folder(place(root))
        try folder.removeLeftovers(of: DeviceRecord.fileName)
        try folder.replace(DeviceRecord.fileName, with: record.bytes, mode: 0o600)
        try folder.sync()
    }
}
