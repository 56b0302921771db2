import Encodings
import Objects
import Plumbing
import Store

/// Checks commits one after the other; trees looked through once are remembered.
final class CommitVerifier {
    struct Result {
        let id: ObjectID
        let verdict: SignatureVerdict
        let key: [UInt8]?
        /// Whether the signature reaches an id of 48 bits, which an attacker could replace with much work.
        let reachesShortID: Bool

        /// `<id> <verdict>`, and ` 48-bit` where that holds.
        var line: String { "\(id.text) \(verdict.rawValue)\(reachesShortID ? " 48-bit" : "")" }

        var json: JSONValue {
            .object([
                .init("id", .string(id.bytes)), .init("verdict", .text(verdict.rawValue)),
                .init("key", ObjectJSON.nullable(key)), .init("48_bit", .bool(reachesShortID)),
            ])
        }
    }

    private let vault: OpenStore
    /// Trees below which every id is long.
    private var longTrees: Set<ObjectID> = []

    init(_ vault: OpenStore) {
        self.vault = vault
    }

    func verify(_ name: ObjectName) throws -> Result {
        let id: ObjectID
        do {
            id = try vault.commitID(of: vault.resolve(name))
        } catch StoreError.missing(let absent) {
            return missing(absent)
        }
        let commit: Commit
        do {
            commit = try vault.objects.commit(id)
        } catch StoreError.missing(let absent) {
            return missing(absent)
        }
        return Result(
            id: id, verdict: try vault.bare.verdict(on: commit),
            key: try vault.bare.signingKey(of: commit),
            reachesShortID: try reachesShortID(commit))
    }

    private func missing(_ id: ObjectID) -> Result {
        Result(id: id, verdict: .missing, key: nil, reachesShortID: false)
    }

    /// Looks at its parents' ids, its tree's and all ids below that.
    private func reachesShortID(_ commit: Commit) throws -> Bool {
        if ([commit.tree] + commit.parents).contains(where: { $0.width == .hex12 }) {
            return true
        }
        if longTrees.contains(commit.tree) { return false }
        var found = false
        var walk = TreeWalk(vault.objects)
        walk.onMissing = { id, error in
            // What is not there has no ids to look at; its own was looked at.
            guard case StoreError.missing = error else { throw error }
        }
        var met: Set<ObjectID> = [commit.tree]
        try walk.run(commit.tree) { _, entry in
            if entry.target.id.width == .hex12 { found = true }
            guard !found, entry.target.kind == .tree else { return .pass }
            return !longTrees.contains(entry.target.id) && met.insert(entry.target.id).inserted
                ? .enter : .pass
        }
        if !found { longTrees.formUnion(met) }
        return found
    }
}
