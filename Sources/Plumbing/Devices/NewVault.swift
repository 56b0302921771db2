package import Cryptography
import FileSystem
import Objects
import SecretMemory
package import Store
package import VaultKeys

/// A new vault, with this device's branch and key in it.
package struct NewVault {
    /// The vault's key, which no person chose.
    package let key: VaultKey
    /// 1 or 2.
    private let format: Int
    /// What a person calls this device.
    private let deviceName: String
    /// Milliseconds since 1970.
    private let time: Int
    private let copy: NewWorkingCopy
    private var random: RandomBytes { copy.random }

    private static let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz0123456789"
    private static let passphraseCount = 26
    private static let vaultIDCount = 12

    package init(
        format: Int, deviceName: String, time: Int, random: RandomBytes, runtimeFolder: String?
    ) {
        self.format = format
        self.deviceName = deviceName
        self.time = time
        copy = NewWorkingCopy(random: random, runtimeFolder: runtimeFolder)
        let vaultID = random.secret(NewVault.vaultIDCount, of: NewVault.alphabet)
            .withBytes { VaultID(Array($0)) }
        guard let vaultID else { preconditionFailure("a vault id of its own alphabet") }
        key = VaultKey(
            passphrase: random.secret(NewVault.passphraseCount, of: NewVault.alphabet),
            vaultID: vaultID)
    }

    /// Makes `path/.sg_vault`, which appears whole or not at all.
    ///
    /// - Parameters:
    ///   - keepsKey: whether the vault's key is kept there.
    ///   - record: what the device is to know of the store that was made; nil for a copy without files beside it.
    /// - Throws: `DeviceError.vaultExists`.
    package func make(
        at path: String, readKey: ReadKey, keepsKey: Bool,
        record: (BareStore) throws -> DeviceRecord? = { _ in nil }
    ) throws {
        try copy.make(at: path) { folder in
            let local = try folder.folderMade("local", mode: 0o700)
            let bare = try folder.folderMade("bare")
            for part in ["data", "refs", "indexes", "keys"] { _ = try bare.folderMade(part) }
            guard let layout = StoreLayout(at: bare.path) else {
                preconditionFailure("a store that was just made is none")
            }
            let store = try BareStore(layout, cipher: EnvelopeCipher(readKey))
            try copy.writeSettings(
                local, branch: try fill(store, local), key: keepsKey ? key : nil)
            return try record(store)
        }
    }

    // MARK: -

    /// The index, this device's key and branch, and an empty first commit; returns the branch's id.
    private func fill(_ store: BareStore, _ local: Folder) throws -> [UInt8] {
        let hold = try StoreHold(on: store, random: random, runtimeFolder: copy.runtimeFolder)
        let (key, keyID) = try copy.makeKey(hold, local)

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
}
