// sgit-diff-tree: compares two trees by what their files hold.
import CommandInterface
import Encodings
import Objects
import Plumbing

let recurse = Flag("r", nil, "enter folders; show what changed in them instead of them")
let nameStatus = Flag(nil, "name-status", "show status and path only")
let exitCode = Flag(nil, "exit-code", "end with 1 if they differ")
let old = Operand("old", "the tree, commit, branch or tag to compare from", ObjectName.init)
let new = Operand("new", "the one to compare with", ObjectName.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-diff-tree", "compare two trees by content",
    usage: [
        [
            .any(recurse), .atMostOne(nameStatus, records.json), .any(records.nul, exitCode),
            store.elements, .one(old), .one(new),
        ]
    ],
    answersNo: "with --exit-code: they differ")

tool.main { call in
    let vault = try store.open(call)
    let oldTree = try vault.treeID(of: vault.resolve(call[old]))
    let newTree = try vault.treeID(of: vault.resolve(call[new]))
    var differ = false

    var difference = TreeDifference(vault.objects, entersFolders: call[recurse])
    try difference.run(oldTree, newTree) { change in
        differ = true
        show(change, call)
    }
    return differ && call[exitCode] ? .no : .success
}

func show(_ change: TreeDifference.Change, _ call: Invocation) {
    let path = PrettyLayout.path(change.path)
    if call[records.json] {
        records.print(
            .object([
                .init("status", .text(change.status.rawValue)),
                .init("old", ObjectJSON.nullable(change.old?.bytes)),
                .init("new", ObjectJSON.nullable(change.new?.bytes)), .init("path", .string(path)),
            ]), call)
        return
    }
    call.output.write(change.status.rawValue)
    if !call[nameStatus] {
        call.output.write(" \(change.old?.text ?? "-") \(change.new?.text ?? "-")")
    }
    call.output.write(call[records.nul] && call[nameStatus] ? 0 : UInt8(ascii: "\t"))
    call.output.write(records.names(call).show(path))
    call.output.write(records.terminator(call))
}
