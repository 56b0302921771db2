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
    static var usage: [UsageElement] {
        [.any(records.json), vaultChoice.elements, .optional(commit)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let id = try vault.commit(at: call.first(commit))
        let page = CommitPage(vault.open, call)
        let comparison = TreeComparison(vault.open)

        if call[records.json] {
            var list: [JSONValue] = []
            try comparison.run(of: id) { change in
                list.append(
                    .object([
                        .init("status", .text(change.status.rawValue)),
                        .init("path", .string(PrettyLayout.path(change.path))),
                    ]))
            }
            records.print(.object(try page.json(id) + [.init("changes", .array(list))]), call)
            return .success
        }
        try page.print(id)
        var isFirst = true
        try comparison.run(of: id) { change in
            if isFirst { call.output.write("\n") }
            isFirst = false
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
    func run(of id: ObjectID, visit: (TreeDifference.Change) throws -> Void) throws {
        let commit = try vault.objects.commit(id)
        try run(
            commit.parents.first.map { try vault.objects.commit($0).tree }, commit.tree,
            visit: visit)
    }

    /// - Parameter old: nil for a tree without entries.
    func run(
        _ old: ObjectID?, _ new: ObjectID, visit: (TreeDifference.Change) throws -> Void
    ) throws {
        var difference = TreeDifference(vault.objects, entersFolders: true)
        try difference.run(old, new, visit: visit)
    }
}
