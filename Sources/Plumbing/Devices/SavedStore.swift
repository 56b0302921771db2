import FileSystem
import History
import Objects
import Store
import VaultFile
import VaultKeys

/// One store of a vault, read into the device's copy or written from it.
///
/// Only right under the hold on the device's copy.
struct SavedStore {
    private let record: DeviceRecord.StoreRecord
    private let session: DeviceSession
    private var vault: DeviceVault { session.vault }

    init(_ record: DeviceRecord.StoreRecord, _ session: DeviceSession) {
        self.record = record
        self.session = session
    }

    /// Whether the file was written since it was last seen; one that is not there was not.
    static func isChanged(_ store: DeviceRecord.StoreRecord) -> Bool {
        guard let now = StoredFile.identity(at: store.path) else { return false }
        return now.mark != store.lastSeen?.file
    }

    /// Whether the folder of the store is there and, where the file is not, is the one that it was.
    ///
    /// A disk that is not mounted leaves a folder behind in which nothing may be written.
    static func isThere(_ store: DeviceRecord.StoreRecord) -> Bool {
        guard let folder = Folder.mark(at: FileTarget.folder(of: store.path)) else { return false }
        guard let seen = store.lastSeen else { return true }
        return FileTarget.isNamed(store.path) || folder == seen.folder
    }

    /// Takes in what the file holds.
    ///
    /// - Returns: whether it went back in time since it was last seen.
    func read() throws -> Bool {
        guard SavedStore.isChanged(record) else { return false }
        return try takeIn(VaultFile(record.path))
    }

    /// Takes in what the file holds, makes a change, and writes the file where it then lacks something.
    ///
    /// - Returns: whether it had gone back in time.
    @discardableResult
    func save(between change: () throws -> Void = {}) throws -> Bool {
        var wentBack = false
        let place = try VaultFilePlace(
            record.path, device: SavedStore.copyName(vault.record.device),
            now: session.conditions.now, runtimeFolder: session.conditions.runtimeFolder)
        let coverage = Later {
            try Coverage(
                of: session.store.refs.ids().compactMap { try session.store.refs.read($0).head },
                in: CommitGraph(session.store.objects))
        }
        var written: VaultHeader?
        var isRewrapped = false
        _ = try place.replace(
            compose: { existing in
                if let existing, try takeIn(existing) { wentBack = true }
                try change()
                let writing = try writing(existing)
                isRewrapped = writing?.isRewrapped ?? false
                return writing?.write
            },
            verify: { made in
                try made.verify(session.readKey, owner: session.owner, isProvenKey: true)
                written = made.header
            },
            isCovered: { copy in
                guard copy.isAuthentic(session.readKey) else { return false }
                // A change of the locks reads no commit: what it cannot tell so is kept for the next write.
                if isRewrapped { return copy.header.heads == written?.heads }
                return try copy.header.heads.compactMap(\.commit).allSatisfy(
                    coverage.value().covers)
            })
        if let written { try session.remember(written) }
        try note(VaultFile(place.target.path), isBehind: false)
        return wentBack
    }

    // MARK: -

    /// Verifies the file, unless it is the one that was seen last, and takes it in.
    ///
    /// - Returns: whether it went back in time.
    private func takeIn(_ file: VaultFile) throws -> Bool {
        guard file.zip.file.identity.mark != record.lastSeen?.file else { return false }
        let remembered = vault.record.remembered
        try file.verify(
            session.readKey, owner: session.owner, isProvenKey: true, remembered: remembered)
        try Intake(
            session.copy, session.store, random: session.conditions.random,
            runtimeFolder: session.conditions.runtimeFolder
        ).take(file)
        let wentBack = try isOlder(file.header)
        let list =
            remembered?.joined(with: file.header, owner: session.owner).0.list
            ?? file.header.lockList
        try session.remember(
            isLater(file.header, remembered?.header)
                ? session.header(like: file.header, list)
                : session.header(like: remembered?.header ?? file.header, list))
        try note(file, isBehind: record.isBehind)
        return wentBack
    }

    /// Whether a file that was taken in lacks what this device saw in its place before.
    private func isOlder(_ header: VaultHeader) throws -> Bool {
        // The serial only spares the walk: every write raises it.
        guard let seen = record.lastSeen, header.serial < seen.serial else { return false }
        guard header.heads == seen.heads else {
            let held = try Coverage(
                of: header.heads.compactMap(\.commit), in: CommitGraph(session.store.objects))
            return try !seen.heads.compactMap(\.commit).allSatisfy(held.covers)
        }
        return vault.record.remembered.map { $0.header.lockList != header.lockList } ?? false
    }

    private func isLater(_ header: VaultHeader, _ known: VaultHeader?) -> Bool {
        known.map { header.serial >= $0.serial } ?? true
    }

    /// Remembers the state of the file, in which it holds nothing that this device lacks.
    private func note(_ file: VaultFile, isBehind: Bool) throws {
        let sight = SavedStore.sight(of: file, path: record.path, now: session.conditions.now)
        try vault.update { record in
            guard let place = record.stores.firstIndex(where: { $0.path == self.record.path })
            else { return }
            record.stores[place].lastSeen = sight
            record.stores[place].isBehind = isBehind
        }
    }

    /// What is remembered of a file.
    static func sight(of file: VaultFile, path: String, now: Int) -> DeviceRecord.Sight {
        DeviceRecord.Sight(
            serial: file.header.serial, heads: file.header.heads,
            file: file.zip.file.identity.mark,
            folder: Folder.mark(at: FileTarget.folder(of: path)) ?? "", time: now)
    }

    // MARK: - Writing

    private struct Writing {
        /// Whether the contents are those of the file there is.
        let isRewrapped: Bool
        let write: (@escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    }

    /// How the new file is written; nil where it would say nothing new.
    private func writing(_ existing: VaultFile?) throws -> Writing? {
        let list = vault.record.remembered?.header.lockList ?? .none
        if let existing, try holdsTheSame(existing) {
            guard list != existing.header.lockList else { return nil }
            // Only the locks are new: the contents are taken over from the file as they are.
            let header = try draft(list, existing).seal(
                contentsOf: existing.header, session.readKey)
            return Writing(isRewrapped: true) { sink in
                try existing.rewrap(header: header, to: sink)
            }
        }
        let packed = try PackedStore(session.store)
        let header = try draft(list, existing).seal(packed, session.readKey)
        return Writing(isRewrapped: false) { sink in
            try packed.write(header: header, to: sink)
        }
    }

    /// Whether the refs and the index of this device are those in the file, which this device holds all of.
    private func holdsTheSame(_ existing: VaultFile) throws -> Bool {
        let store = session.store
        let heads = try store.refs.ids().map { ref in
            VaultHeader.Head(ref: ref, commit: try store.refs.read(ref).head)
        }
        guard heads == existing.header.heads else { return false }
        guard let own = try store.index(), let theirs = try existing.branchIndex(store) else {
            return try store.index() == nil && existing.branchIndex(store) == nil
        }
        return own.means(theSameAs: theirs)
    }

    private func draft(_ list: LockList, _ existing: VaultFile?) throws -> NewHeader {
        let known = [vault.record.remembered?.header, existing?.header].compactMap { $0 }
        let greatest = known.map(\.serial).max() ?? 0
        guard greatest < 1 << 53 - 1 else { throw DeviceError.lastSerial }
        var header = NewHeader(
            vaultID: vault.id.bytes, serial: greatest + 1, writtenAt: session.conditions.now,
            writtenBy: session.conditions.program, lockList: list,
            locksCode: known.first { $0.lockList == list }?.locksCode
                ?? session.owner?.code(of: list, vaultID: vault.id.bytes) ?? [])
        header.unknownMembers = VaultHeader.joinedUnknownMembers(known)
        return header
    }

    /// The device's name as the names of past copies have it.
    private static func copyName(_ device: String) -> String {
        let name = device.utf8.prefix(32).map { byte -> UInt8 in
            let isWord =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            return isWord ? byte : UInt8(ascii: "-")
        }
        return name.isEmpty ? "device" : String(decoding: name, as: UTF8.self)
    }
}

/// A value that is made when it is first asked for.
private final class Later<Value> {
    private let make: () throws -> Value
    private var made: Value?

    init(_ make: @escaping () throws -> Value) {
        self.make = make
    }

    func value() throws -> Value {
        if let made { return made }
        let value = try make()
        made = value
        return value
    }
}
