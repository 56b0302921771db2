import CommandInterface
import Encodings
import FileSystem
import Locks
import Objects
import Plumbing
import Store
import Unlocking
import VaultFile
import VaultKeys

/// The store at work, with the keys that make the codes of a header.
final class KeyedStore {
    let vault: OpenStore
    let readKey: ReadKey
    /// Nil where only the read key is known: then locks are carried over, and none is added.
    let owner: OwnerKey?

    init(_ opened: (store: OpenStore, key: KeyString)) {
        vault = opened.store
        readKey = opened.store.bare.cipher.key
        if case .vaultKey(let key) = opened.key {
            owner = OwnerKey(key, readKey)
        } else {
            owner = nil
        }
    }

    var bare: BareStore { vault.bare }
}

/// What the call brings for the header: the locks in files, and an older vault file.
final class CarriedHeader {
    let old: VaultHeader?
    let newLocks: [Lock]

    init(_ call: Invocation, _ vault: KeyedStore) throws {
        guard vault.owner != nil || call.all(lock).isEmpty else {
            throw PackRefusal.readKeyTakesNoLocks
        }
        newLocks = try call.all(lock).flatMap { try CarriedHeader.readLocks($0, vault) }
        old = try call[headerFrom].map { path in
            let file = try VaultFile(path)
            let verified = try file.verify(vault.readKey, owner: vault.owner)
            if !verified.locksAreProven { call.warn(PackNotice.unprovenLocks(path).report) }
            return file.header
        }
    }

    /// The locks in a file, a line each; all must be of the vault at work.
    private static func readLocks(_ path: [UInt8], _ vault: KeyedStore) throws -> [Lock] {
        let limit = VaultHeader.limit
        let text =
            path.elementsEqual("-".utf8)
            ? try StandardInput.contents(limit: limit)
            : try FileContents.read(path, limit: limit)
        guard !text.isEmpty else { throw PackRefusal.noLocks(path: path, LockError.noLock) }
        let feed = UInt8(ascii: "\n")
        return try text.split(separator: feed, omittingEmptySubsequences: false)
            .dropLast(text.last == feed ? 1 : 0)
            .map { line in
                let (lock, vaultID) = try read(line + [feed], from: path)
                guard vaultID == vault.readKey.vaultID.bytes else {
                    throw PackRefusal.foreignLock(id: lock.id, vaultID: vaultID)
                }
                return lock
            }
    }
}

/// A line of a file of locks; an error says which file it was.
private func read(_ line: [UInt8], from path: [UInt8]) throws -> (lock: Lock, vaultID: [UInt8]) {
    do throws(LockError) {
        return try Lock.read(line: line)
    } catch {
        throw PackRefusal.noLocks(path: path, error)
    }
}

/// The header that the new file gets, given the file that it replaces.
final class HeaderDraft {
    private let call: Invocation
    private let vault: KeyedStore
    private let carried: CarriedHeader
    private let packed: PackedStore

    init(
        _ call: Invocation, _ vault: KeyedStore, _ carried: CarriedHeader, _ packed: PackedStore
    ) {
        self.call = call
        self.vault = vault
        self.carried = carried
        self.packed = packed
    }

    /// The locks of all that was read, joined.
    ///
    /// - Throws: `PackRefusal.listsDiffer` where only the owner could join them.
    func join(_ existing: VaultHeader?) throws -> (list: LockList, join: LockJoin) {
        let lists = [carried.old, existing].compactMap { $0?.lockList }
        guard vault.owner != nil else {
            guard let first = lists.first else { throw PackRefusal.readKeyMakesNoLocks }
            guard lists.allSatisfy({ $0 == first }) else { throw PackRefusal.listsDiffer }
            return (first, LockJoin([first]))
        }
        let proven = LockJoin(
            lists.isEmpty ? [.none] : lists, remembered: carried.old?.lockList)
        var list = proven.list
        for lock in carried.newLocks {
            do throws(LockAdditionError) {
                try list.add(lock)
            } catch {
                throw PackRefusal.notAdded(id: lock.id, error)
            }
        }
        return (list, proven)
    }

    /// The sealed bytes of the header.
    func header(replacing existing: VaultHeader?) throws -> [UInt8] {
        let (list, join) = try join(existing)
        for id in join.altered { call.warn(PackNotice.alteredLock(id).report) }
        if join.keptRemoved { call.warn(PackNotice.keptLocks.report) }
        let vaultID = vault.readKey.vaultID.bytes
        let sources = [carried.old, existing].compactMap { $0 }
        var header = NewHeader(
            vaultID: vaultID, serial: try serial(sources), writtenAt: try writtenAt(),
            writtenBy: "sgit-tools \(Tool.version)", lockList: list,
            locksCode: sources.first { $0.lockList == list }?.locksCode
                ?? vault.owner?.code(of: list, vaultID: vaultID) ?? [])
        header.unknownMembers = VaultHeader.joinedUnknownMembers(sources)
        return try header.seal(packed, vault.readKey)
    }

    private func serial(_ sources: [VaultHeader]) throws -> Int {
        if let given = call[serialGiven] { return given }
        let greatest = sources.map(\.serial).max() ?? 0
        guard greatest < 1 << 53 - 1 else { throw PackRefusal.lastSerial }
        return greatest + 1
    }

    /// `$SOURCE_DATE_EPOCH`, else the greatest time of a head: equal stores give equal bytes.
    private func writtenAt() throws -> Int {
        if let text = call.environment("SOURCE_DATE_EPOCH") {
            guard let seconds = Decimal.parse(Array(text.utf8)),
                seconds < 1 << 40, DocumentRules.times.contains(seconds * 1000)
            else {
                throw UsageError("the value of 'SOURCE_DATE_EPOCH' is no time in seconds")
            }
            return seconds * 1000
        }
        let times: [Int] = try packed.heads.compactMap { head in
            try head.commit.flatMap { try vault.bare.objects.commit($0).time }
        }
        return max(0, times.max() ?? 0)
    }
}
