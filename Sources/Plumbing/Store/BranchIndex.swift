package import Encodings
package import Objects

/// The branch index: branches, tags, and what the vault asks of its clients.
///
/// Members and tag entries that are not understood are kept, so that a writer gives them back.
/// - Source: docs/vault-format.md, "Branch index".
package struct BranchIndex {
    package var gate: FormatGate
    package var branches: [Branch]
    package var tags: [TagEntry]
    /// The document as it was read, with the edits made since.
    package var document: JSONValue

    /// The largest index, in bytes of plaintext: 16 MiB, some 40,000 branches.
    package static let limit = 1 << 24

    package struct Branch: Equatable {
        package enum Kind: String {
            case named
            case clone
        }

        package var id: [UInt8]
        /// What it is looked up by; of several with one name the first counts.
        package var name: [UInt8]
        package var kind: Kind
        /// Where its head is.
        package var ref: [UInt8]
        package var key: [UInt8]?
        /// Milliseconds since 1970, or an ISO 8601 text, as stored.
        package var createdAt: JSONValue
        /// The named branch that a clone branch tracks.
        package var creator: [UInt8]?
        package var displayName: [UInt8]?
    }

    package enum TagEntry: Equatable {
        case entry(name: TagName, object: ObjectID, isDeleted: Bool, time: Int)
        /// An entry that cannot be read: kept as it is and never used.
        case carried(JSONValue)
    }

    /// The branch of that name: the first in the index.
    package func branch(named name: [UInt8]) -> Branch? { branches.first { $0.name == name } }

    /// Whether nothing that another index lists would be lost with it: no branch and no tag entry.
    package func lists(allOf other: BranchIndex) -> Bool {
        let ids = Set(branches.map(\.id))
        return other.branches.allSatisfy { ids.contains($0.id) }
            && other.tags.allSatisfy(tags.contains)
    }

    /// The tag object that a name stands for; nil where there is no such tag or it was deleted.
    ///
    /// Of several entries the greatest counts, by: not dated more than a day ahead, time, object, deleted.
    /// - Parameter now: milliseconds since 1970.
    package func tag(named name: TagName, now: Int) -> ObjectID? {
        guard let winner = winner(named: name, now: now), !winner.isDeleted else { return nil }
        return winner.object
    }

    private func winner(named name: TagName, now: Int) -> (object: ObjectID, isDeleted: Bool)? {
        let latest = now + 24 * 3_600_000
        var best: (isSane: Bool, time: Int, object: ObjectID, isDeleted: Bool)?
        for entry in tags {
            switch entry {
            case .entry(name, let object, let isDeleted, let time):
                let candidate = (time <= latest, time, object, isDeleted)
                if best.map({ BranchIndex.precedes($0, candidate) }) ?? true { best = candidate }
            case .carried(let stored):
                // One that no client can date hides the readable ones of its name.
                if case .string(let carried)? = stored["name"], carried == name.bytes,
                    stored["timestamp_ms"].flatMap(DocumentRules.time) == nil
                {
                    return nil
                }
            default: break
            }
        }
        return best.map { ($0.object, $0.isDeleted) }
    }

    private static func precedes(
        _ one: (isSane: Bool, time: Int, object: ObjectID, isDeleted: Bool),
        _ other: (isSane: Bool, time: Int, object: ObjectID, isDeleted: Bool)
    ) -> Bool {
        if one.isSane != other.isSane { return other.isSane }
        if one.time != other.time { return one.time < other.time }
        if one.object != other.object { return one.object < other.object }
        return !one.isDeleted && other.isDeleted
    }
}
