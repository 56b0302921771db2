// sgit-hash-object: seals files into objects, and stores them.
import CommandInterface
import Cryptography
import Encodings
import Objects
import Plumbing
import Store

let write = Flag("w", nil, "store the objects")
let kind = Option(
    "t", nil, "kind", "what the plaintext is: blob, tree, commit or tag",
    completion: .words(["blob", "tree", "commit", "tag"]),
    { ObjectKind(rawValue: String(decoding: $0, as: UTF8.self)) })
let fromInput = Flag(nil, "stdin", "take the plaintext on standard input first")
let pathsFromInput = Flag(nil, "stdin-paths", "read the names of files from standard input")
let file = Operand(
    "file", "a file that holds the plaintext", completion: .files,
    { $0.isEmpty ? nil : $0 })
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-hash-object", "seal files into objects, and print their ids",
    usage: [
        [.any(write, kind, records.nul), store.elements, .oneOrMore(file)],
        [
            .required(fromInput), .any(write, kind, records.nul), store.elements, .anyNumber(file),
        ],
        [.required(pathsFromInput), .any(write, kind, records.nul), store.elements],
    ])

tool.main { call in
    let vault = try store.open(call)
    let hasher = ObjectHasher(
        try NewObjects(in: vault.bare, random: .system), vault, kind: call[kind] ?? .blob,
        storing: call[write], output: call.output, terminator: records.terminator(call))

    do {
        if call[fromInput] { try hasher.hashInput() }
        for path in call.all(file) { try hasher.hash(path) }
        if call[pathsFromInput] {
            let input = Input(terminator: records.terminator(call), beforeWaiting: hasher.finish)
            while let line = try input.next() {
                try hasher.hash(path(line, names: records.names(call)))
            }
        }
    } catch {
        // What was done so far is stored and told.
        try hasher.finish()
        throw error
    }
    try hasher.finish()
    return .success
}

/// The path on a line.
func path(_ line: [UInt8], names: PrettyLayout.Names) throws -> [UInt8] {
    guard let path = names == .raw ? line : CQuoting.unquote(line[...]), !path.isEmpty,
        !path.contains(0)
    else { throw InputError.badPath(line) }
    return path
}
