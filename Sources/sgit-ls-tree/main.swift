// sgit-ls-tree: lists the entries of a tree.
import CommandInterface
import Objects
import Plumbing

let recurse = Flag("r", nil, "enter folders; show what is in them instead of them")
let showTrees = Flag("t", nil, "with -r, show the folders too")
let onlyTrees = Flag("d", nil, "show folders only")
let details = Flag("l", "long", "show size, content hash and media type")
let nameOnly = Flag(nil, "name-only", "show paths only")
let format = Option(nil, "format", "format", "print each entry by this format", TreeFormat.init)
let object = Operand(
    "object", "a tree, or what leads to one: a commit, branch or tag", ObjectName.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-ls-tree", "list the entries of a tree",
    usage: [
        [
            .any(recurse, showTrees, onlyTrees),
            .atMostOne(details, nameOnly, format, records.json), .any(records.nul), store.elements,
            .one(object),
        ]
    ])

tool.main { call in
    let vault = try store.open(call)
    let tree = try vault.treeID(of: vault.resolve(call[object]))

    var walk = TreeWalk(vault.objects)
    walk.passesBarrenFolders = call[recurse] && !call[showTrees] && !call[onlyTrees]
    try walk.run(tree) { path, entry in
        let isFolder = entry.target.kind == .tree
        let isEntered = isFolder && call[recurse]
        if isFolder ? !isEntered || call[showTrees] || call[onlyTrees] : !call[onlyTrees] {
            show(entry, at: PrettyLayout.path(path), call)
        }
        return isEntered ? .enter : .pass
    }
    return .success
}

func show(_ entry: TreeEntry, at path: [UInt8], _ call: Invocation) {
    if call[records.json] { return records.print(ObjectJSON.entry(entry.target, path: path), call) }
    let names = records.names(call)
    if let format = call[format] {
        call.output.write(format.record(entry.target, path: path, names: names))
    } else if call[nameOnly] {
        call.output.write(names.show(path))
    } else {
        call.output.write(
            PrettyLayout.record(entry.target, path: path, details: call[details], names: names))
    }
    call.output.write(records.terminator(call))
}
