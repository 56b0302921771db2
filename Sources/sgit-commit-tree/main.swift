// sgit-commit-tree: makes a commit of a tree.
import CommandInterface
import Cryptography
import Objects
import Plumbing
import Store

let parent = Option(
    "p", nil, "parent", "a parent of the commit; the first one is the head it is made on",
    repeated: true, ObjectName.init)
let message = Option(
    "m", nil, "message", "the message; given again, another paragraph", repeated: true, { $0 })
let messageFile = Option(
    "F", nil, "file", "read the message from this file; - for standard input", completion: .files,
    { String(validating: $0, as: UTF8.self) })
let signingKeyFile = Option(
    nil, "sign-key-file", "file", "sign with the P-256 private key (PEM) in this file",
    completion: .files, { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let branch = Option(
    nil, "branch", "branch", "the branch that makes the commit, by name or id",
    { $0.isEmpty ? nil : $0 })
let date = Option(
    nil, "date", "time", "milliseconds since 1970, or RFC 3339; else the clock", CommitTime.parse)
let tree = Operand("tree", "the root tree, or a commit that has it", ObjectName.init)
let store = StoreOptions()

let tool = Tool(
    "sgit-commit-tree", "make a commit of a tree",
    usage: [
        [
            .any(parent), .atMostOne(message, messageFile), .any(signingKeyFile, branch, date),
            store.elements, .one(tree),
        ]
    ])

tool.main { call in
    // A message in arguments is checked before anything is opened; one on standard input comes after the key.
    let given = try call.all(message).isEmpty ? nil : CommitMessage(givenMessage(call))
    let vault = try store.open(call)
    let text = try given ?? CommitMessage(givenMessage(call))
    let objects = try NewObjects(in: vault.bare, random: .system)
    let signer = try Signer(call, vault.bare)
    let maker = try makingBranch(call, vault.bare) ?? signer?.branch ?? []

    var commit = Commit(
        tree: try presentTree(call[tree], in: vault), parents: try parents(call, vault),
        sealedMessage: objects.sealMessage(text.text), branch: maker, time: call[date] ?? call.now)
    if let signer { commit = commit.signed(with: signer.key, id: signer.keyID) }

    let id = try objects.write(commit)
    try objects.flush()
    call.output.line(id.text)
    return .success
}
