package import Cryptography
import FileSystem
import Objects
import Store
package import VaultFile
package import VaultKeys

/// This device's first copy of a vault that somebody has already.
///
/// The copy gets a branch and a signing key of its own. They come into the vault's files with the first write of this
/// device; that it was opened writes nothing there.
package struct NewDevice {
    /// What a person calls this device.
    private let deviceName: String
    /// Milliseconds since 1970.
    private let time: Int
    private let copy: NewWorkingCopy

    package init(deviceName: String, time: Int, random: RandomBytes, runtimeFolder: String?) {
        self.deviceName = deviceName
        self.time = time
        copy = NewWorkingCopy(random: random, runtimeFolder: runtimeFolder)
    }

    /// Makes `path/.sg_vault` of a verified file; a read key makes a copy that only reads.
    ///
    /// - Parameter keepsKey: whether the vault key is kept there; a read key always is.
    /// - Throws: `DeviceError.vaultExists`.
    package func make(
        at path: String, of file: VaultFile, key: KeyString, readKey: ReadKey, keepsKey: Bool,
        _ record: DeviceRecord
    ) throws {
        try copy.make(at: path) { folder in
            let bare = try NewBareFolder(in: folder.path, runtimeFolder: copy.runtimeFolder)
            try file.forEachMember { name, bytes, _ in try bare.add(name, bytes) }
            try bare.finish()
            let parts = try folder.folder("bare")
            for part in ["indexes", "keys"] { _ = try parts.folderMade(part) }
            let local = try folder.folderMade("local", mode: 0o700)
            guard case .vaultKey(let vaultKey) = key else {
                try copy.writeSettings(local, readOnly: readKey)
                return record
            }
            guard let layout = StoreLayout(at: parts.path) else {
                throw DeviceError.damagedConfiguration(path: parts.path)
            }
            let store = try BareStore(layout, cipher: EnvelopeCipher(readKey))
            let branch = try register(store, local)
            try copy.writeSettings(local, branch: branch, key: keepsKey ? vaultKey : nil)
            return record
        }
    }

    /// The branch of this device, at the head of the shared one; returns its id.
    private func register(_ store: BareStore, _ local: Folder) throws -> [UInt8] {
        let hold = try StoreHold(
            on: store, random: copy.random, runtimeFolder: copy.runtimeFolder)
        let current = Array("current".utf8)
        let listed = try store.index()?.branches.first { $0.kind == .named && $0.name == current }
        let shared = try listed ?? hold.newBranch(named: current, .named, ref: nil, time: time)
        let (_, keyID) = try copy.makeKey(hold, local)
        var device = try hold.newBranch(
            named: Array("local".utf8), .clone, ref: nil, time: time)
        device.key = keyID
        device.creator = shared.id
        device.displayName = Array(deviceName.utf8)
        try hold.editIndex { index in
            if listed == nil { index.add(shared) }
            index.add(device)
        }
        let head = try store.refs.read(String(decoding: shared.ref, as: UTF8.self)).head
        if let head {
            let transaction = RefTransaction(hold)
            try transaction.prepare([
                .init(
                    ref: String(decoding: device.ref, as: UTF8.self), expected: .nothing, new: head)
            ])
            try transaction.commit()
        }
        return device.id
    }
}
