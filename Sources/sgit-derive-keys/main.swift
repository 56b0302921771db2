// sgit-derive-keys: turns a vault key into the keys and names that follow from it.
import CommandInterface
import Plumbing
import VaultKeys

let all = Flag(nil, "all", "print every key and name that follows")
let json = Flag(nil, "json", "print them all as one JSON object")
let key = KeyOptions()

let tool = Tool(
    "sgit-derive-keys", "derive the read key and the file names of a vault",
    usage: [[.any(all, json), key.elements]])

tool.main { call in
    let given = try key.keyOrInput(call)

    if call[json] {
        DerivedKeys(given).printJSON(to: call.output)
    } else if call[all] {
        DerivedKeys(given).printLines(to: call.output)
    } else {
        DerivedKeys.printReadKey(of: given, to: call.output)
    }
    return .success
}
