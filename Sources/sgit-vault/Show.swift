import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

/// Shows one commit, and what it changed.
enum Show: VaultCommand {
    static let word = Word("show", "show a commit, and what it changed")
    private static let commit = Operand(
        "revision", "the commit; else this device's head", ObjectName.init)
    static var usage: [UsageElement] { [.any(records.json), store.elements, .optional(commit)] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let id = try vault.commit(at: call.first(commit))
        let page = CommitPage(vault.open, call)
        let changes = try TreeComparison(vault.open).changes(of: id)

        if call[records.json] {
            let list = changes.map { change in
                JSONValue.object([
                    .init("status", .text(change.status.rawValue)),
                    .init("path", .string(PrettyLayout.path(change.path))),
                ])
            }
            records.print(.object(try page.json(id) + [.init("changes", .array(list))]), call)
            return .success
        }
        try page.print(id)
        if !changes.isEmpty { call.output.write("\n") }
        for change in changes {
            call.output.write("\(change.status.rawValue)\t")
            call.output.write(CQuoting.quote(PrettyLayout.path(change.path)))
            call.output.write(0x0A)
        }
        return .success
    }
}

/// What differs between commits, file by file.
struct TreeComparison {
    private let vault: OpenStore

    init(_ vault: OpenStore) {
        self.vault = vault
    }

    /// What a commit changed against its first parent; all of it where it has none.
    func changes(of id: ObjectID) throws -> [TreeDifference.Change] {
        let commit = try vault.objects.commit(id)
        return try changes(
            commit.parents.first.map { try vault.objects.commit($0).tree }, commit.tree)
    }

    /// - Parameter old: nil for a tree without entries.
    func changes(_ old: ObjectID?, _ new: ObjectID) throws -> [TreeDifference.Change] {
        var changes: [TreeDifference.Change] = []
        var difference = TreeDifference(vault.objects, entersFolders: true)
        try difference.run(old, new) { changes.append($0) }
        return changes
    }
}
