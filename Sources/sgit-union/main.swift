// sgit-union: adds what other stores and vault files hold to a store.
import CommandInterface
import FileSystem
import Plumbing
import Store
import Unlocking
import VaultFile

let source = Operand(
    "source", "a bare folder, a folder that holds one, or a vault file", completion: .files,
    { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let store = StoreOptions()

let tool = Tool(
    "sgit-union", "add the objects and public keys that other stores hold",
    usage: [[.any(store.store), .oneOrMore(source)]])

tool.main { call in
    let layout = try store.files(call)
    let union = try Union(of: call.all(source).map(openSource), into: layout)

    for copy in union.damage { call.warn(copy.report) }
    try union.write(runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
    for name in union.additions { call.output.line(name.text) }
    for name in union.lost { call.warn(UnionError.noSoundCopy(name).report) }
    return union.lost.isEmpty ? .success : .damaged
}

/// The objects and keys of a store folder or a vault file.
func openSource(_ path: String) throws -> any UnionSource {
    guard Folder.exists(path) else {
        let file = try VaultFile(path)
        try file.checkForm()
        return VaultFileSource(file)
    }
    return StoreFiles(try StoreOptions.files(in: path), name: path)
}
