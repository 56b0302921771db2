// sgit-rev-list: lists commits by what they reach.
import CommandInterface
import Encodings
import History
import Objects
import Plumbing

let all = Flag(nil, "all", "start from the heads of all branches")
let fromInput = Flag(nil, "stdin", "read more revisions from standard input, one a line")
let parents = Flag(nil, "parents", "print the parents after each commit")
let count = Flag(nil, "count", "print only how many records there would be")
let firstParent = Flag(nil, "first-parent", "follow only the first parent")
let limit = Option(
    "n", "max-count", "count", "print at most this many commits", { Decimal.parse($0) })
let objects = Flag(nil, "objects", "print the trees and blobs too, after the commits")
let topological = Flag(nil, "topo-order", "no commit before all of its children")
let missing = Option(
    nil, "missing", "action", "what to do about an absent object: error, allow-any or print",
    completion: .words(MissingAction.names), MissingAction.init)
let revision = Operand("revision", "a commit, ^commit, A..B or A...B", Revision.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-rev-list", "list commits from the heads to the roots",
    usage: [
        [
            .any(all, fromInput), .atMostOne(parents, count, records.json),
            .any(firstParent, limit, objects, topological, missing, records.nul), store.elements,
            .anyNumber(revision),
        ]
    ])

tool.main { call in
    let vault = try store.open(call)
    let range = try startingPoints(call, vault)
    let list = RevisionList(vault, call)
    try list.run(range)
    return .success
}

func startingPoints(_ call: Invocation, _ vault: OpenStore) throws -> RevisionRange {
    var range = RevisionRange()
    guard call[all] || call[fromInput] || !call.all(revision).isEmpty else {
        throw UsageError("<revision> is missing")
    }
    for item in call.all(revision) { try item.add(to: &range, in: vault) }
    if call[fromInput] {
        let input = Input(terminator: records.terminator(call))
        while let line = try input.next() {
            guard let item = Revision(line) else { throw ObjectNameError.unknown(name: line) }
            try item.add(to: &range, in: vault)
        }
    }
    if call[all] { range.included += try vault.heads() }
    return range
}
