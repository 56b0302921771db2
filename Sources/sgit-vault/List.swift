import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

/// Lists files.
enum List: VaultCommand {
    static let word = Word("ls", "list the files of a folder")
    private static let details = Flag("l", nil, "show size and media type")
    private static let recursive = Flag("r", nil, "show the files below too, with their paths")
    private static let path = Operand("path", "a path in the vault; else the root", { $0 })
    static var usage: [UsageElement] {
        [
            .any(recursive, revision), .atMostOne(details, records.json), .any(records.nul),
            vaultChoice.elements, .optional(path),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let commit = try vault.commit(at: call[revision])
        let root = OpenStore.Found(id: commit, kind: .commit, name: commit.bytes)
        // A folder may be named with its slash.
        var wanted = call.first(path) ?? []
        if wanted.last == UInt8(ascii: "/") { wanted.removeLast() }
        if wanted.elementsEqual(".".utf8) { wanted = [] }
        let parent = Array(
            wanted.split(separator: UInt8(ascii: "/")).dropLast().joined(separator: "/".utf8))
        let found = try vault.open.entry(at: wanted, of: root)

        if found.kind == .blob {
            let tree = try vault.open.objects.tree(
                vault.open.treeID(of: vault.open.entry(at: parent, of: root)))
            let name = wanted.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? wanted
            if let entry = tree.entry(named: name) { show(entry, at: wanted, call) }
            return .success
        }
        var walk = TreeWalk(vault.open.objects)
        walk.passesBarrenFolders = call[recursive]
        let prefix = call[recursive] && !wanted.isEmpty ? wanted + [UInt8(ascii: "/")] : []
        try walk.run(vault.open.treeID(of: found)) { names, entry in
            if call[recursive], entry.target.kind == .tree { return .enter }
            show(entry, at: prefix + PrettyLayout.path(names), call)
            return .pass
        }
        return .success
    }

    private static func show(_ entry: TreeEntry, at path: [UInt8], _ call: Invocation) {
        if call[records.json] {
            return records.print(ObjectJSON.entry(entry.target, path: path), call)
        }
        let isFolder = entry.target.kind == .tree
        if call[details] {
            if case .blob(_, let facts) = entry.target {
                call.output.write(String(facts.size))
                call.output.write(UInt8(ascii: "\t"))
                call.output.write(
                    facts.mediaType.isEmpty ? [UInt8(ascii: "-")] : CQuoting.quote(facts.mediaType))
            } else {
                call.output.write("-\t-")
            }
            call.output.write(UInt8(ascii: "\t"))
        }
        call.output.write(records.names(call).show(isFolder ? path + [UInt8(ascii: "/")] : path))
        call.output.write(records.terminator(call))
    }
}
