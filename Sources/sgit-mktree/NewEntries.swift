import Encodings
import Objects
import Plumbing
import Store

/// The entries of a tree that is being made, each looked up in the store.
struct NewEntries {
    private let vault: OpenStore
    private let allowsMissing: Bool
    private var names: Set<EntryName> = []
    private(set) var entries: [TreeEntry] = []
    /// Entries that say a size which their objects cannot have.
    private(set) var doubtful: [EntryName] = []
    private let mayBeDeflated: Bool

    init(_ vault: OpenStore, allowsMissing: Bool) throws {
        self.vault = vault
        mayBeDeflated = try vault.bare.gateForWriting().has("blob-deflate")
        self.allowsMissing = allowsMissing
    }

    /// - Throws: `TreeRecordError.repeatedName`, `.noTree`; `StoreError.missing` unless that is allowed.
    mutating func add(_ record: TreeRecord) throws {
        guard names.insert(record.name).inserted else {
            throw TreeRecordError.repeatedName(record.name.bytes)
        }
        let target: TreeTarget =
            switch record.kind {
            case .tree: try tree(record.id)
            default: try blob(record)
            }
        entries.append(TreeEntry(name: record.name, target: target))
    }

    /// Pairs of names that a file system may take for one, as many of Windows and macOS do.
    func twins() -> [(EntryName, EntryName)] {
        // Texts compare by canonical equivalence, so NFC and NFD spellings fall together by themselves.
        var first: [String: EntryName] = [:]
        return entries.map(\.name).sorted().compactMap { name in
            let folded = String(decoding: name.bytes, as: UTF8.self).uppercased().lowercased()
            guard let twin = first[folded] else {
                first[folded] = name
                return nil
            }
            return (twin, name)
        }
    }

    private func tree(_ id: ObjectID) throws -> TreeTarget {
        do {
            let plaintext = try vault.objects.read(id, limit: ObjectLimit.tree)
            // Its form tells; opening the names of all its entries would cost more than making the tree.
            guard let entries = (try? JSONReader.read(plaintext))?["entries"]?.elements,
                entries.allSatisfy({ $0["name_enc"] != nil })
            else { throw TreeRecordError.noTree(id) }
        } catch StoreError.missing where allowsMissing {}
        return .tree(id)
    }

    private mutating func blob(_ record: TreeRecord) throws -> TreeTarget {
        guard var facts = record.facts else {
            let plaintext = try vault.objects.blob(record.id)
            return .blob(
                record.id,
                BlobFacts(
                    of: plaintext, name: record.name.bytes,
                    storedSize: try vault.objects.storedSize(record.id)))
        }
        do {
            let stored = try vault.objects.storedSize(record.id)
            facts.isLarge = stored > BlobFacts.largestSmallEnvelope
            let plain = stored - EnvelopeLayout.overhead
            if plain > facts.size || plain < facts.size && !mayBeDeflated {
                doubtful.append(record.name)
            }
        } catch StoreError.missing where allowsMissing {
            facts.isLarge =
                facts.size > BlobFacts.largestSmallEnvelope - EnvelopeLayout.overhead
        }
        return .blob(record.id, facts)
    }
}
