// sgit-update-ref: moves refs, each from the value it is said to hold.
import CommandInterface
import Objects
import Plumbing
import Store

let fromInput = Flag(nil, "stdin", "read commands from standard input: one transaction")
let ref = Operand("ref", "a ref id, a branch name, a branch id, or @ for 'current'", RefName.init)
let new = Operand("new", "the commit that it shall hold", ObjectName.init)
let old = Operand("old", "the commit that it must hold; zeros: it must hold none", OldValue.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-update-ref", "move refs from one commit to another",
    usage: [
        [store.elements, .one(ref), .one(new), .optional(old)],
        [.required(fromInput), .any(records.nul), store.elements],
    ],
    moves: true)

tool.main { call in
    let vault = try store.open(call)

    if call[fromInput] {
        var commands = RefCommands(vault, call)
        try commands.run()
        return .success
    }
    var session = RefSession(vault)
    try session.ask(
        for: call[ref], to: try newValue(call[new]), from: call.first(old)?.expectation)
    try session.prepare()
    try session.commit()
    return .success
}

/// The commit to move to; a ref is never removed.
func newValue(_ name: ObjectName) throws -> ObjectName {
    guard OldValue(name.text)?.expectation != .nothing else {
        throw UsageError("a ref is never removed: \(quoted(name.text)) is no commit")
    }
    return name
}
