import Encodings
package import Locks

/// The locks of a vault and the ids of those that were removed.
package struct LockList: Equatable {
    /// Ordered by (`created_at`, `id`).
    package var locks: [Lock]
    /// Ascending.
    package var removed: [[UInt8]]

    package init(locks: [Lock], removed: [[UInt8]]) {
        self.locks = locks.sorted(by: LockList.precedes)
        self.removed = removed.sorted { $0.lexicographicallyPrecedes($1) }
    }

    package static let none = LockList(locks: [], removed: [])

    /// Reads `locks` and `removed_locks` of a header, in the order that they have there.
    init(_ header: JSONValue) throws(HeaderError) {
        guard let elements = header["locks"]?.elements,
            elements.count <= VaultHeader.maximumLocks,
            elements.allSatisfy({ if case .object = $0 { true } else { false } })
        else { throw .badMember("locks") }
        locks = elements.map { Lock($0) }
        removed = try header.texts(
            "removed_locks", optional: true, limit: VaultHeader.maximumRemovedLocks)
    }

    /// Whether every lock has its form, and the lists their order.
    func checkForm() throws(HeaderError) {
        guard locks.allSatisfy(\.hasForm),
            zip(locks, locks.dropFirst()).allSatisfy({ LockList.precedes($0, $1) }),
            Set(locks.map(\.id)).count == locks.count
        else { throw .badMember("locks") }
        guard removed.allSatisfy(Lock.isID),
            zip(removed, removed.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }),
            locks.allSatisfy({ !removed.contains($0.id) })
        else { throw .badMember("removed_locks") }
    }

    package func lock(_ id: [UInt8]) -> Lock? { locks.first { $0.id == id } }

    /// The list without a lock, whose id it remembers.
    package func removing(_ id: [UInt8]) -> LockList {
        LockList(locks: locks.filter { $0.id != id }, removed: removed + [id])
    }

    package var grantsVault: Bool { locks.contains { $0.grant == .vault } }

    static func precedes(_ one: Lock, _ other: Lock) -> Bool {
        one.createdAt == other.createdAt
            ? one.id.lexicographicallyPrecedes(other.id)
            : one.createdAt.lexicographicallyPrecedes(other.createdAt)
    }

    /// What the lists' own code is made over.
    func authenticated(vaultID: [UInt8]) -> [UInt8] {
        CanonicalJSON.encode(
            .object([
                .init("locks", .array(locks.map(\.document))),
                .init("removed_locks", .array(removed.map { .string($0) })),
                .init("vault_id", .string(vaultID)), .init("version", .integer(1)),
            ]))
    }
}
