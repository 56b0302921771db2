// sgit-verify-commit: tells what the signatures of commits are worth.
import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

let fromInput = Flag(nil, "stdin", "read more commits from standard input, one a line")
let commit = Operand("commit", "a commit, branch or tag", ObjectName.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-verify-commit", "tell what the signatures of commits are worth",
    usage: [
        [.any(records.json, records.nul), store.elements, .oneOrMore(commit)],
        [
            .required(fromInput), .any(records.json, records.nul), store.elements,
            .anyNumber(commit),
        ],
    ],
    answersNo: "not all of them are verified")

tool.main { call in
    let vault = try store.open(call)
    let verifier = CommitVerifier(vault)
    var allVerified = true

    func answer(_ name: ObjectName) throws {
        let result = try verifier.verify(name)
        if result.verdict != .verified { allVerified = false }
        if call[records.json] {
            records.print(result.json, call)
        } else {
            call.output.write(result.line)
            call.output.write(records.terminator(call))
        }
    }

    for name in call.all(commit) { try answer(name) }
    if call[fromInput] {
        let input = Input(terminator: records.terminator(call), beforeWaiting: call.output.flush)
        while let line = try input.next() {
            guard let name = ObjectName(line) else { throw ObjectNameError.unknown(name: line) }
            try answer(name)
        }
    }
    return allVerified ? .success : .no
}
