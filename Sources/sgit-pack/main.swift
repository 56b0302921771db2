// sgit-pack: packs a store into one vault file.
import CommandInterface
import Encodings
import Plumbing
import Unlocking
import VaultFile

let file = Option(
    "o", "output", "file",
    "write this file, verified, in place of the one there; - for standard output",
    completion: .files, { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let lock = Option(
    nil, "lock", "file", "add the locks in this file, a line each; - for standard input",
    repeated: true, completion: .files, { $0.isEmpty ? nil : $0 })
let headerFrom = Option(
    nil, "header-from", "old", "carry over the locks of this vault file", completion: .files,
    { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let serialGiven = Option(
    nil, "serial", "n", "the serial; otherwise one more than the greatest that was read",
    { Decimal.parse($0).flatMap { (1..<1 << 53).contains($0) ? $0 : nil } })
let store = StoreOptions()

let tool = Tool(
    "sgit-pack", "pack a store into one vault file",
    usage: [[store.elements, .any(file, lock, headerFrom, serialGiven)]],
    moves: true)

tool.main { call in
    let path = call[file].flatMap { $0 == "-" ? nil : $0 }
    guard path != nil || !call.outputIsTerminal else {
        throw UsageError("a vault file is no text for a terminal: name one with -o")
    }
    let vault = try KeyedStore(store.openKeeping(call))
    let carried = try CarriedHeader(call, vault)
    let packed = try PackedStore(vault.bare)
    for name in packed.leftOut { call.warn(PackNotice.leftOut(name).report) }

    let draft = HeaderDraft(call, vault, carried, packed)
    guard let path else {
        let header = try draft.header(replacing: nil)
        try packed.write(header: header) { call.output.write($0) }
        return .success
    }
    try replace(path, with: packed, draft, vault, call)
    return .success
}
