package import Encodings
import Locks
import Objects
package import VaultKeys

/// A header that is about to be written.
package struct NewHeader {
    package var vaultID: [UInt8]
    package var serial: Int
    /// Milliseconds since 1970; information only.
    package var writtenAt: Int
    /// Program and version.
    package var writtenBy: String
    package var lockList: LockList
    /// 64 hex digits: carried over while the list is the same, else made with the owner's key.
    package var locksCode: [UInt8]
    /// Members of later versions, kept.
    package var unknownMembers: [JSONValue.Member] = []

    package init(
        vaultID: [UInt8], serial: Int, writtenAt: Int, writtenBy: String, lockList: LockList,
        locksCode: [UInt8]
    ) {
        self.vaultID = vaultID
        self.serial = serial
        self.writtenAt = writtenAt
        self.writtenBy = writtenBy
        self.lockList = lockList
        self.locksCode = locksCode
    }

    /// The header of a file that holds that store: its bytes, with their code.
    ///
    /// - Throws: `PackError`.
    package func seal(_ store: PackedStore, _ key: ReadKey) throws(PackError) -> [UInt8] {
        try seal(heads: store.heads, store.inventory, key)
    }

    /// The header of a file that holds what another header's file holds.
    package func seal(contentsOf header: VaultHeader, _ key: ReadKey) throws(PackError) -> [UInt8] {
        try seal(heads: header.heads, header.inventory, key)
    }

    private func seal(
        heads: [VaultHeader.Head], _ inventory: Inventory, _ key: ReadKey
    ) throws(PackError) -> [UInt8] {
        guard lockList.locks.count <= VaultHeader.maximumLocks,
            lockList.removed.count <= VaultHeader.maximumRemovedLocks
        else { throw .tooManyLocks }
        let heads = heads.map { head in
            JSONValue.Member(
                name: Array(head.ref.utf8), value: .string(head.commit?.bytes ?? []))
        }
        var document = JSONValue.object(
            [
                .init("format", .text("sgvault")), .init("heads", .object(heads)),
                .init("locks", .array(lockList.locks.map(\.document))),
                .init("locks_mac", .string(locksCode)),
                .init("members", inventory.document),
                .init("removed_locks", .array(lockList.removed.map { .string($0) })),
                .init("requires", .array([])),
                .init("serial", .integer(serial)), .init("vault_id", .string(vaultID)),
                .init("version", .integer(1)),
                .init("written_at", .text(Timestamp.wholeSeconds(writtenAt))),
                .init("written_by", .text(writtenBy)),
            ] + unknownMembers)
        document.set("mac", .string(HeaderCode.make(VaultHeader.authenticated(document), key)))
        let bytes = CanonicalJSON.encode(document)
        guard bytes.count <= VaultHeader.limit else { throw .headerTooLarge }
        return bytes
    }
}
