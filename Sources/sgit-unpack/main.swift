// sgit-unpack: turns a vault file into a store, or shows what it holds.
import CommandInterface
import Encodings
import Plumbing
import Unlocking
import VaultFile

let directory = Option(
    "d", "directory", "dir", "write the store 'bare' into this folder", completion: .folders,
    { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let list = Flag(nil, "list", "print the size and the name of each member")
let header = Flag(nil, "header", "print what the header says, and whether it was verified")
let heads = Flag(nil, "heads", "print each ref and its commit")
let locks = Flag(nil, "locks", "print each lock as a line, which sgit-unwrap-key reads")
let json = Flag(nil, "json", "print JSON")
let salvage = Flag(nil, "salvage", "keep what is sound of a damaged file")
let foreign = Flag(nil, "no-header", "read a zip or tar of a store that is no vault file")
let file = Operand(
    "file", "the vault file", completion: .files,
    { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let opening = OpeningOptions()

let tool = Tool(
    "sgit-unpack", "turn a vault file into a store, or show what it holds",
    usage: [
        [.required(directory), opening.elements, .one(file)],
        [.exactlyOne(list, header, heads, locks), .any(json), opening.elements, .one(file)],
        [.required(salvage), .required(directory), .one(file)],
        [.required(foreign), .required(directory), .one(file)],
    ])

tool.main { call in
    if call[foreign], let folder = call[directory] {
        return try unpackForeign(call[file], into: folder, call)
    }
    if call[salvage], let folder = call[directory] {
        return try salvage(call[file], into: folder, call)
    }
    let vault = try VaultFile(call[file])
    let verified = try opening.open(vault, call)

    if let folder = call[directory] {
        try unpack(vault, into: folder, isVerified: verified != nil, call)
    } else {
        try vault.checkForm()
        show(vault, isVerified: verified != nil, call)
    }
    return .success
}
