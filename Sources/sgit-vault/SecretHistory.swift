import CommandInterface
import Encodings
import History
import Objects
import Plumbing
import Secrets
import Store

/// Tells when a secret changed, on which device, and what of it; values are never shown.
enum SecretHistory: VaultCommand {
    static let word = Word("history", "tell when a secret changed, on which device, and what of it")
    static var usage: [UsageElement] {
        [.any(records.json), vaultChoice.elements, .one(secretName)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let head = try vault.commit(at: nil)
        let past = SecretPast(vault.open.objects)
        let secret = try past.find(call[secretName], from: head)
        let page = CommitPage(vault.open, call)
        try past.walk(from: head) { id, parents in
            guard let event = try past.event(of: secret, id, parents) else { return true }
            try print(event, at: id, page, vault, call)
            return true
        }
        if past.absent > 0 {
            call.warn(
                Report("\(past.absent) commits before these are not in this copy", status: .success)
            )
        }
        return .success
    }

    private static func print(
        _ event: SecretPast.Event, at id: ObjectID, _ page: CommitPage, _ vault: OpenVault,
        _ call: Invocation
    ) throws {
        let commit = try vault.open.objects.commit(id)
        let device = try page.device(commit)
        if call[records.json] {
            records.print(
                .object([
                    .init("id", .string(id.bytes)),
                    .init("time", commit.time.map { .text(Timestamp.rfc3339($0)) } ?? .null),
                    .init("device", .text(device)), .init("event", .text(event.name)),
                    .init("fields", .array(event.fields.map { .string($0) })),
                ]), call)
            return
        }
        let fields = event.fields.map { displayable(String(decoding: $0, as: UTF8.self)) }
        let time = commit.time.map { LocalTime.text($0) } ?? "-"
        call.output.line(
            "\(id.text)  \(time)  \(displayable(device))  \(event.name)"
                + (fields.isEmpty ? "" : " " + fields.joined(separator: ", ")))
    }
}

/// What became of one secret, commit by commit.
private final class SecretPast {
    private let objects: any ObjectReader
    private let graph: CommitGraph
    private var states: [ObjectID: SecretDocument?] = [:]
    private(set) var absent = 0

    init(_ objects: any ObjectReader) {
        self.objects = objects
        graph = CommitGraph(objects)
    }

    struct Event {
        /// `added`, `changed` or `removed`.
        let name: String
        let fields: [[UInt8]]
    }

    /// A secret that goes by the name, in the head or in the newest commit that had one.
    func find(_ name: [UInt8], from head: ObjectID) throws -> SecretList.Secret {
        var seen: Set<ObjectID> = []
        var found: SecretList.Secret?
        try walk(from: head) { id, _ in
            let tree = try objects.commit(id).tree
            guard seen.insert(tree).inserted else { return true }
            let list = try SecretList(of: tree, objects)
            guard !list.named(name).isEmpty else { return true }
            found = try list.one(name)
            return false
        }
        guard let found else { throw SecretNameError.none(name) }
        return found
    }

    /// Newest first; a commit that is not in this copy is counted.
    func walk(
        from head: ObjectID, _ visit: (ObjectID, [ObjectID]) throws -> Bool
    ) throws {
        var range = RevisionRange()
        range.included = [head]
        var walk = RevisionWalk(graph)
        walk.isTopological = true
        var missing = 0
        walk.onMissing = { id, error in
            guard case StoreError.missing = error else { throw error }
            missing += 1
        }
        try walk.run(range, visit: visit)
        absent = missing
    }

    /// What a commit did to the secret; nil where one of its parents had it as it is.
    func event(
        of secret: SecretList.Secret, _ id: ObjectID, _ parents: [ObjectID]
    ) throws -> Event? {
        let now = try state(of: secret, at: id)
        let before = try parents.map { try state(of: secret, at: $0) }
        if before.isEmpty ? now == nil : before.contains(now) { return nil }
        guard let now else { return Event(name: "removed", fields: []) }
        guard let old = before.compactMap({ $0 }).first else {
            return Event(name: "added", fields: [])
        }
        return Event(name: "changed", fields: now.changes(since: old))
    }

    /// The secret as a commit has it; nil where it has none, or is not in this copy.
    private func state(
        of secret: SecretList.Secret, at commit: ObjectID
    ) throws -> SecretDocument? {
        if let known = states[commit] { return known }
        let document = try read(secret, at: commit)
        states[commit] = .some(document)
        return document
    }

    private func read(
        _ secret: SecretList.Secret, at commit: ObjectID
    ) throws -> SecretDocument? {
        var target: TreeTarget
        do {
            target = .tree(try objects.commit(commit).tree)
        } catch StoreError.missing(let id) where id == commit {
            return nil
        }
        for name in secret.path {
            guard case .tree(let id) = target,
                let entry = try objects.tree(id).entry(named: name.bytes)
            else { return nil }
            target = entry.target
        }
        guard case .blob(let id, let facts) = target, facts.size <= SecretDocument.limit,
            let document = SecretDocument(try objects.blob(id)),
            document.id == secret.document.id
        else { return nil }
        return document
    }
}
