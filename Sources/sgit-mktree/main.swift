// sgit-mktree: makes a tree of the entries on standard input.
import CommandInterface
import Cryptography
import Objects
import Plumbing
import Store

let allowsMissing = Flag(nil, "missing", "take entries whose objects are not there")
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-mktree", "make a tree of the entries on standard input",
    usage: [[.any(allowsMissing, records.nul), store.elements]])

tool.main { call in
    let vault = try store.open(call)
    let objects = try NewObjects(in: vault.bare, random: .system)
    var entries = try NewEntries(vault, allowsMissing: call[allowsMissing])

    let input = Input(terminator: records.terminator(call))
    while let line = try input.next() {
        try entries.add(TreeRecord(line, names: records.names(call)))
    }
    for name in entries.doubtful {
        call.warn(
            Report(
                "\(quoted(name.bytes)): the size in its line is not that of its object",
                hint: "a line without size, hash and type has them filled in", status: .success))
    }
    for (name, twin) in entries.twins() {
        call.warn(
            Report(
                "\(quoted(name.bytes)) and \(quoted(twin.bytes)) are one name where case or Unicode form does not count",
                status: .success))
    }

    let id = try objects.write(Tree(sorting: entries.entries))
    try objects.flush()
    call.output.write(id.bytes)
    call.output.write(records.terminator(call))
    return .success
}
