package import Cryptography
import FileSystem
import History
import Locks
import Objects
package import Store
package import VaultFile
package import VaultKeys

/// A vault of this device at work, with its keys: what is read and changed here, and the stores that are written after it.
///
/// A change is made on this device first and then goes to every store. A store that cannot be written is said, and written
/// by the next command that can.
/// - Source: docs/devices.md, "Saving".
package final class DeviceSession {
    package let vault: DeviceVault
    package let copy: WorkingCopy
    package let store: BareStore
    package let key: KeyString
    let readKey: ReadKey
    /// Nil where only the read key is known.
    let owner: OwnerKey?
    let conditions: Conditions

    /// What a session takes from the process.
    package struct Conditions {
        /// Milliseconds since 1970.
        package let now: Int
        package let random: RandomBytes
        /// `$XDG_RUNTIME_DIR`.
        package let runtimeFolder: String?
        /// Program and version, for the header.
        package let program: String

        package init(now: Int, random: RandomBytes, runtimeFolder: String?, program: String) {
            self.now = now
            self.random = random
            self.runtimeFolder = runtimeFolder
            self.program = program
        }
    }

    package init(
        _ vault: DeviceVault, _ copy: WorkingCopy, _ store: BareStore, key: KeyString,
        _ conditions: Conditions
    ) {
        self.vault = vault
        self.copy = copy
        self.store = store
        self.key = key
        readKey = store.cipher.key
        if case .vaultKey(let key) = key {
            owner = OwnerKey(key, readKey)
        } else {
            owner = nil
        }
        self.conditions = conditions
    }

    /// What became of a store.
    package struct Outcome {
        package enum State {
            /// It has all that this device has.
            case saved
            /// Its folder is not there: a disk that is not mounted.
            case away
            case failed(any Error)
        }

        package let store: DeviceRecord.StoreRecord
        package let state: State
        /// Whether it was found older than it was before: put back, or restored from a backup.
        package let wentBack: Bool

        package var isSaved: Bool {
            if case .saved = state { return true }
            return false
        }
    }

    // MARK: - Reading

    /// Takes in the stores whose files have changed since they were last seen, and writes those that lag behind.
    ///
    /// - Returns: what became of the stores that were looked at.
    package func refresh() throws -> [Outcome] {
        let isWriter = !copy.isReadOnly
        let stores = vault.record.stores.filter { store in
            SavedStore.isChanged(store) || isWriter && store.isBehind && SavedStore.isThere(store)
        }
        guard !stores.isEmpty else { return [] }
        let hold = try vault.hold(runtimeFolder: conditions.runtimeFolder)
        defer { withExtendedLifetime(hold) {} }
        return try stores.map { store in
            try outcome(of: store) {
                isWriter && store.isBehind
                    ? try SavedStore(store, self).save() : try SavedStore(store, self).read()
            }
        }
    }

    // MARK: - Changing

    /// Makes a change of this device's copy, between taking in what the stores have and writing them.
    ///
    /// - Throws: `DeviceError.diverged` where a store has heads that do not go on from those here, and what `body`
    ///   throws; then nothing was changed, and no store written.
    package func change(_ body: () throws -> Void) throws -> [Outcome] {
        let hold = try vault.hold(runtimeFolder: conditions.runtimeFolder)
        defer { withExtendedLifetime(hold) {} }
        let stores = vault.record.stores
        let first = stores.firstIndex { SavedStore.isThere($0) }
        // Those that are changed after the first one are looked at before.
        for (place, store) in stores.enumerated() where place != first {
            guard SavedStore.isChanged(store) else { continue }
            let read = try outcome(of: store) { try SavedStore(store, self).read() }
            if case .failed(let error) = read.state, isDivergence(error) { throw error }
        }
        let before = vault.record.stores
        try setBehind(before.map { _ in true })
        var isDone = false
        var refusal: (any Error)?
        func once() throws {
            guard !isDone else { return }
            do {
                try body()
                isDone = true
            } catch {
                refusal = error
                try setBehind(before.map(\.isBehind))
                throw error
            }
        }
        var outcomes: [Outcome] = []
        if let first {
            // The folder of the first store is held from reading it until it is written, so that of many devices that
            // write one file each goes on from the one before.
            outcomes.append(
                try outcome(of: stores[first]) {
                    try SavedStore(stores[first], self).save(between: once)
                })
        }
        if let refusal { throw refusal }
        if !isDone {
            if case .failed(let error)? = outcomes.first?.state, isDivergence(error) {
                try setBehind(before.map(\.isBehind))
                throw error
            }
            try once()
        }
        for (place, store) in stores.enumerated() where place != first {
            outcomes.append(try outcome(of: store) { try SavedStore(store, self).save() })
        }
        return outcomes
    }

    /// Changes the list of locks, here and in every store.
    ///
    /// - Parameter edit: the new list; asked once, with the joined list of this device and the stores.
    package func changeLocks(_ edit: (LockList) throws -> LockList) throws -> [Outcome] {
        guard owner != nil else { throw DeviceError.readOnly(path: copy.root) }
        return try change {
            guard let remembered = vault.record.remembered else {
                throw DeviceError.noVaultFile(id: vault.id.text)
            }
            let list = try edit(remembered.header.lockList)
            try remember(try header(like: remembered.header, list))
        }
    }

    // MARK: -

    /// Notes whether this device has something that could not be written to each store.
    private func setBehind(_ flags: [Bool]) throws {
        try vault.update { record in
            for (place, flag) in zip(record.stores.indices, flags) {
                record.stores[place].isBehind = flag
            }
        }
    }

    /// The remembered header with another list of locks, proved anew.
    func header(like old: VaultHeader, _ list: LockList) throws -> VaultHeader {
        guard list != old.lockList, let owner else { return old }
        var header = NewHeader(
            vaultID: old.vaultID, serial: old.serial, writtenAt: conditions.now,
            writtenBy: conditions.program, lockList: list,
            locksCode: owner.code(of: list, vaultID: old.vaultID))
        header.unknownMembers = old.unknownMembers
        return try VaultHeader(header.seal(contentsOf: old, readKey))
    }

    func remember(_ header: VaultHeader) throws {
        let fingerprint = readKey.fingerprint()
        try vault.update {
            $0.remembered = RememberedVault(header: header, fingerprint: fingerprint)
        }
    }

    private func isDivergence(_ error: any Error) -> Bool {
        if case .diverged? = error as? DeviceError { return true }
        return false
    }

    /// - Parameter body: whether the store went back in time.
    private func outcome(
        of store: DeviceRecord.StoreRecord, _ body: () throws -> Bool
    ) throws -> Outcome {
        func current() -> DeviceRecord.StoreRecord {
            vault.record.stores.first { $0.path == store.path } ?? store
        }
        guard SavedStore.isThere(store) else {
            return Outcome(store: current(), state: .away, wentBack: false)
        }
        do {
            let wentBack = try body()
            return Outcome(store: current(), state: .saved, wentBack: wentBack)
        } catch {
            return Outcome(store: current(), state: .failed(error), wentBack: false)
        }
    }
}
