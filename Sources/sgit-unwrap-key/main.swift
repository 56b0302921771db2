// sgit-unwrap-key: opens a lock and prints the key in it, or runs a command that gets it.
import CommandInterface
import Locks
import Plumbing
import SecretMemory
import Unlocking
import VaultKeys

let lock = LockOption()
let secret = SecretOptions()
let exec = Flag(
    nil, "exec", "print nothing; run a command that finds the key by $SGIT_KEY_FD",
    endsOptions: true)
let command = Operand("command", "the program to run", { $0.isEmpty ? nil : $0 })
let argument = Operand("argument", "what the program is given, as it is", { $0 })

let tool = Tool(
    "sgit-unwrap-key", "open a lock and print the key in it",
    usage: [
        [lock.element, secret.elements],
        [lock.element, secret.elements, .required(exec), .one(command), .anyNumber(argument)],
    ])

tool.main { call in
    KeyOptions().prepare(call)
    let offered = try secret.offered(call)
    let given = try lock.read(call)
    let key = try unwrap(given, offered, call)

    if call[exec] {
        let file = try SealedKeyFile(key.line)
        try Execution.replace(
            by: [call[command]] + call.all(argument),
            setting: ["SGIT_KEY_FD": String(file.descriptor)], unsetting: ["SGIT_KEY_FILE"])
    }
    call.output.write(key.line)
    return .success
}

/// The key in the lock; a lock from a file leaves standard input to the secret.
func unwrap(
    _ given: GivenLock, _ offered: OfferedSecret?, _ call: Invocation
) throws -> KeyString {
    let offered =
        lock.namesFile(call) ? try secret.completed(offered, call, for: given.lock.kind) : offered
    let answer = try (offered ?? OfferedSecret(content: nil, providers: []))
        .secret(for: given.lock, vaultID: given.vaultID)
    return try given.lock.unseal(with: answer, vaultID: given.vaultID)
}
