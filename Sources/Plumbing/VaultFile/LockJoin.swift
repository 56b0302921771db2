import Encodings
package import Locks

/// One list of locks out of several that changed apart: nothing that one side added is lost, and what one removed stays
/// removed.
///
/// The lists must be proved already. Which list is given first decides nothing but where one is the remembered one.
///
/// - Source: docs/vault-file.md, "Join".
package struct LockJoin {
    package private(set) var list: LockList
    /// Locks of one id that differ in more than a label or a date: altered.
    package private(set) var altered: [[UInt8]] = []
    /// The join would have left no lock that grants the vault key, so it removed only what all sides had removed.
    package private(set) var keptRemoved = false

    /// - Parameters:
    ///   - lists: at least one.
    ///   - remembered: what this device knows, which is kept where a lock was altered.
    package init(_ lists: [LockList], remembered: LockList? = nil) {
        let sides = lists + (remembered.map { [$0] } ?? [])
        var joined: [[UInt8]: Lock] = [:]
        for (id, locks) in Dictionary(grouping: sides.flatMap(\.locks), by: \.id) {
            // What means the same is one lock, the greatest; of several the remembered one, else the least.
            var kinds: [Lock] = []
            for lock in locks {
                guard let place = kinds.firstIndex(where: { LockJoin.meansTheSame($0, lock) })
                else {
                    kinds.append(lock)
                    continue
                }
                kinds[place] = LockJoin.later(kinds[place], lock)
            }
            if kinds.count > 1 { altered.append(id) }
            let known = remembered?.lock(id).flatMap { known in
                kinds.first { LockJoin.meansTheSame($0, known) }
            }
            joined[id] =
                known
                ?? kinds.dropFirst().reduce(kinds[0]) { least, lock in
                    LockJoin.later(least, lock) == lock ? least : lock
                }
        }
        altered.sort { $0.lexicographicallyPrecedes($1) }
        let union = Set(sides.flatMap(\.removed))
        list = LockList(
            locks: joined.values.filter { !union.contains($0.id) }, removed: Array(union))
        if !list.grantsVault, sides.contains(where: \.grantsVault) {
            let common = sides.dropFirst().reduce(Set(sides.first?.removed ?? [])) {
                $0.intersection($1.removed)
            }
            list = LockList(
                locks: joined.values.filter { !common.contains($0.id) }, removed: Array(common))
            keptRemoved = true
        }
    }

    /// Whether two locks differ only in what may be changed without their secret.
    fileprivate static func meansTheSame(_ one: Lock, _ other: Lock) -> Bool {
        CanonicalJSON.encode(essence(one)) == CanonicalJSON.encode(essence(other))
    }

    private static func essence(_ lock: Lock) -> JSONValue {
        let free: [StaticString] = ["label", "created_at", "rehearsed_at"]
        return .object(
            lock.document.members.filter { member in
                !free.contains { member.name.isEqual(to: $0) }
            })
    }

    /// The one whose canonical bytes are the greater.
    private static func later(_ one: Lock, _ other: Lock) -> Lock {
        one.canonical.lexicographicallyPrecedes(other.canonical) ? other : one
    }
}

/// Why a lock that a person brings is not added to a list.
package enum LockAdditionError: Error {
    /// The list has another lock of that id: a line by itself proves nothing against a file whose owner is proved.
    case altered
    /// It was removed from the vault.
    case removed
}

extension LockList {
    /// Adds a lock, or gives one that is there the label and dates of this one.
    package mutating func add(_ lock: Lock) throws(LockAdditionError) {
        guard !removed.contains(lock.id) else { throw .removed }
        if let known = self.lock(lock.id), !LockJoin.meansTheSame(known, lock) { throw .altered }
        self = LockList(
            locks: locks.filter { $0.id != lock.id } + [lock], removed: removed)
    }
}
