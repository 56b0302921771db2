import Cryptography
import FileSystem
import Locks
import Objects
import Store
package import VaultFile
package import VaultKeys

// How a vault begins on this device: new, from a file, or with one more file. What fails leaves nothing behind.

extension DeviceSession {
    /// A new vault, with its locks, in a file at `path` that is not there yet.
    package static func begin(
        _ vault: NewVault, in home: DeviceHome, path: String, name: String, device: String,
        keepsKey: Bool, _ locks: LockList, _ conditions: Conditions
    ) throws -> DeviceSession {
        let readKey = vault.key.readKey()
        let id = vault.key.vaultID
        let root = home.folder(of: id)
        return try undoing(id, in: home) {
            try vault.make(at: root, readKey: readKey, keepsKey: keepsKey) { store in
                let owner = OwnerKey(vault.key, readKey)
                let header = NewHeader(
                    vaultID: id.bytes, serial: 1, writtenAt: conditions.now,
                    writtenBy: conditions.program, lockList: locks,
                    locksCode: owner.code(of: locks, vaultID: id.bytes))
                var record = DeviceRecord(
                    device: device, .init(name: name, path: path, isBehind: true))
                record.remembered = RememberedVault(
                    header: try VaultHeader(header.seal(PackedStore(store), readKey)),
                    fingerprint: readKey.fingerprint())
                return record
            }
            let session = try opened(
                DeviceVault(at: root, id), .vaultKey(vault.key), readKey, conditions)
            try session.withHold {
                do {
                    try SavedStore(session.vault.record.stores[0], session).save()
                } catch {
                    // What could not be noted of a file that is there is seen by the next command.
                    guard (try? VaultFile(path).header.vaultID) == id.bytes else { throw error }
                }
            }
            return session
        }
    }

    /// A vault that comes to this device in a verified file.
    package static func begin(
        _ file: VaultFile, key: KeyString, readKey: ReadKey, in home: DeviceHome, path: String,
        name: String, device: String, keepsKey: Bool, _ conditions: Conditions
    ) throws -> DeviceSession {
        let root = home.folder(of: key.vaultID)
        return try undoing(key.vaultID, in: home) {
            var store = DeviceRecord.StoreRecord(name: name, path: path, isBehind: false)
            store.lastSeen = SavedStore.sight(of: file, path: path, now: conditions.now)
            var record = DeviceRecord(device: device, store)
            record.remembered = RememberedVault(
                header: file.header, fingerprint: readKey.fingerprint())
            try NewDevice(
                deviceName: device, time: conditions.now, random: conditions.random,
                runtimeFolder: conditions.runtimeFolder
            ).make(
                at: root, of: file, key: key, readKey: readKey, keepsKey: keepsKey, record)
            return try opened(
                DeviceVault(at: root, key.vaultID), key, readKey, conditions)
        }
    }

    /// One more file of a vault that is here already, or the same one again.
    ///
    /// - Parameter keeping: the key that this device is to keep from now on.
    package func add(path: String, name: String, keeping key: KeyString?) throws -> [Outcome] {
        if case .vaultKey(let key)? = key, !copy.isReadOnly { try copy.keep(key) }
        try withHold {
            guard !vault.record.stores.contains(where: { $0.path == path }) else { return }
            try vault.update { record in
                let taken = record.stores.map(\.name)
                var free = name
                var number = 1
                while taken.contains(free) {
                    number += 1
                    free = "\(name)-\(number)"
                }
                record.stores.append(.init(name: free, path: path, isBehind: false))
            }
        }
        return try refresh()
    }

    package var lockList: LockList { vault.record.lockList }

    /// 32 bytes that name the vault key.
    package var fingerprint: [UInt8] { readKey.fingerprint() }

    // MARK: -

    private static func opened(
        _ vault: DeviceVault, _ key: KeyString, _ readKey: ReadKey, _ conditions: Conditions
    ) throws -> DeviceSession {
        DeviceSession(
            vault, try vault.copy(), try BareStore(vault.layout(), cipher: EnvelopeCipher(readKey)),
            key: key, conditions)
    }

    private func withHold(_ body: () throws -> Void) throws {
        let hold = try vault.hold(runtimeFolder: conditions.runtimeFolder)
        defer { withExtendedLifetime(hold) {} }
        try body()
    }

    /// Runs what makes the folder of a vault, and takes the folder away where it fails.
    private static func undoing(
        _ id: VaultID, in home: DeviceHome, _ make: () throws -> DeviceSession
    ) throws -> DeviceSession {
        let root = home.folder(of: id)
        guard !Folder.exists(root + "/.sg_vault") else { throw DeviceError.vaultExists(path: root) }
        let isNew = (home: !Folder.exists(home.path), root: !Folder.exists(root))
        try Folder.make(home.path, mode: 0o700)
        try Folder.make(root, mode: 0o700)
        do {
            return try make()
        } catch {
            if case .vaultExists? = error as? DeviceError { throw error }
            // The first fault is the one that is told.
            try? Folder(root).removeTree(".sg_vault")
            if isNew.root { try? Folder.removeEmpty(root) }
            if isNew.home { try? Folder.removeEmpty(home.path) }
            throw error
        }
    }
}
