// sgit-branch-index: shows and edits the branch index: format gate, branches and tags.
import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

let branch = Option(nil, "branch", "name", "show only this branch", { $0.isEmpty ? nil : $0 })
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-branch-index", "show or edit the branches, tags and format gate of a vault",
    usage: [[.any(branch, records.json), store.elements]] + IndexEdits.usage,
    answersNo: "with --branch: there is no such branch")

tool.main { call in
    let vault = try store.open(call)
    if let command = call.command {
        try IndexEdits(vault, call).run(command)
        return .success
    }

    guard let index = try vault.bare.index() else {
        try vault.bare.explainAbsence()
        throw StoreError.noIndex
    }
    if let name = call[branch] {
        guard let found = index.branch(named: name) else { return .no }
        if call[records.json] {
            records.print(IndexLayout.json(found), call)
        } else {
            call.output.write(IndexLayout.line(found))
        }
    } else if call[records.json] {
        records.print(IndexLayout.json(index), call)
    } else {
        call.output.write(IndexLayout.lines(index))
    }
    return .success
}
