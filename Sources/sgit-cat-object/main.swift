// sgit-cat-object: shows one object of a vault, decrypted, or answers for many.
import CommandInterface
import Objects
import Plumbing

let pretty = Flag("p", "pretty", "print the contents, laid out by kind")
let kind = Flag("t", "type", "print the kind: blob, tree, commit or tag")
let size = Flag("s", "size", "print the length of the plaintext, in bytes")
let exists = Flag("e", "exists", "print nothing; the exit status answers")
let raw = Flag(nil, "raw", "print the plaintext, whatever the kind")
let sealed = Flag(nil, "sealed", "print the envelope as it is stored")
let header = Flag(nil, "header", "print the layout of the envelope")
let batch = Flag(nil, "batch", "answer names on standard input with kind, size and contents")
let batchCheck = Flag(nil, "batch-check", "the same without contents")
let batchCommand = Flag(
    nil, "batch-command", "answer 'contents NAME' and 'info NAME' on standard input")
let batchAll = Flag(nil, "batch-all-objects", "answer for every object of the store instead")
let format = Option(nil, "format", "format", "print each record by this format", BatchFormat.init)
let object = Operand("object", "an object id, or the name of a branch or tag", ObjectName.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-cat-object", "show one object of a vault, decrypted",
    usage: [
        [.exactlyOne(pretty, kind, size, exists, raw, records.json), store.elements, .one(object)],
        [.exactlyOne(sealed, header), store.elements, .one(object)],
        [.exactlyOne(batch, batchCheck), .any(batchAll, format, records.nul), store.elements],
        [.exactlyOne(batchCommand), .any(format, records.nul), store.elements],
    ],
    answersNo: "with -e: there is no such object")

tool.main { call in
    if call[batch] || call[batchCheck] || call[batchCommand] {
        return try Batch(store.open(call), call).run()
    }
    if call[sealed] || call[header] {
        return try showEnvelope(call)
    }
    let vault = try store.open(call)
    if call[exists] {
        return try vault.contains(call[object]) ? .success : .no
    }
    let found = try vault.resolve(call[object])
    let shown = try ShownObject(found, in: vault)
    if call[kind] {
        call.output.line(shown.kind.rawValue)
    } else if call[size] {
        call.output.line(String(shown.plaintext.count))
    } else if call[raw] {
        call.output.write(shown.plaintext)
    } else if call[records.json] {
        records.print(try shown.json(), call)
    } else {
        try shown.writePretty(to: call.output)
    }
    return .success
}
