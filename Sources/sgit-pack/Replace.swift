import CommandInterface
import Cryptography
import FileSystem
import History
import Objects
import Plumbing
import Store
import Unlocking
import VaultFile
import VaultKeys

/// Writes the file in place of the one at the path, where it has something to say and nothing would be lost.
func replace(
    _ path: String, with packed: PackedStore, _ draft: HeaderDraft, _ vault: KeyedStore,
    _ call: Invocation
) throws {
    let device = String(call.deviceName.map { $0 == "_" ? "-" : $0 }.prefix(32))
    let place = try VaultFilePlace(
        path, device: device, now: call.now,
        runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
    let graph = CommitGraph(vault.bare.objects)
    let coverage = try Coverage(of: packed.heads.compactMap(\.commit), in: graph)

    let wasWritten = try place.replace(
        compose: { existing in
            if let existing {
                try existing.verify(vault.readKey, owner: vault.owner)
                let difference = try Difference(existing, packed, vault, coverage)
                let list = try draft.join(existing.header).list
                guard difference.addsSomething || list != existing.header.lockList else {
                    return nil
                }
            }
            let header = try draft.header(replacing: existing?.header)
            return { sink in
                try packed.write(header: header, to: sink)
            }
        },
        verify: { made in try made.verify(vault.readKey, owner: vault.owner) },
        isCovered: { copy in
            try copy.isAuthentic(vault.readKey)
                && copy.header.heads.compactMap(\.commit).allSatisfy(coverage.covers)
        })
    if wasWritten, place.hasNoLinks { call.warn(PackNotice.noLinks(path).report) }
}

/// What a new file would add to the one that it replaces; made only where it would take nothing away.
struct Difference {
    let addsSomething: Bool

    /// - Throws: `PackRefusal` for what the file holds and the store lacks.
    init(
        _ existing: VaultFile, _ packed: PackedStore, _ vault: KeyedStore, _ coverage: Coverage
    ) throws {
        for (name, _) in existing.members where !packed.contains(name) {
            throw PackRefusal.lacks(path: existing.path, name.text)
        }
        try Difference.checkKeys(of: existing, vault)
        for head in existing.header.heads {
            guard let commit = head.commit else { continue }
            guard try coverage.covers(commit) else {
                throw PackRefusal.notCovered(path: existing.path, ref: head.ref, commit)
            }
        }
        let index = try existing.branchIndex(vault.bare)
        let ownIndex = try vault.bare.index()
        let hasNewHeads = packed.heads != existing.header.heads
        if let index {
            // What a vault asks of its clients is told by the later history; of one history nothing is taken back.
            guard let ownIndex, ownIndex.lists(allOf: index),
                hasNewHeads || ownIndex.gate.asks(allOf: index.gate)
            else { throw PackRefusal.indexLacks(path: existing.path) }
        }
        addsSomething =
            hasNewHeads || packed.count != existing.members.count
            || index?.document != ownIndex?.document
    }

    /// A key has one content for ever: two that differ under one name are joined by nobody.
    private static func checkKeys(of file: VaultFile, _ vault: KeyedStore) throws {
        for (name, entry) in file.members {
            guard let id = name.key else { continue }
            let plaintext: ArraySlice<UInt8>
            do {
                plaintext = try vault.bare.cipher.open(file.read(entry), limit: PublicKeys.limit)
            } catch let error as EnvelopeError {
                throw StoreError.damaged(subject: name.text, reason: error)
            }
            guard try vault.bare.keys.key(id)?.pem == PublicKeys.decode(plaintext) else {
                throw PackRefusal.keysDiffer(path: file.path, name.text)
            }
        }
    }
}
