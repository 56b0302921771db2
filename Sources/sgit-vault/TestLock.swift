import CommandInterface
import Devices
import Locks
import Plumbing
import Unlocking
import VaultFile
import VaultKeys

/// Tries what a person has on the locks of a vault.
enum TestLock: VaultCommand {
    static let word = Word("lock test", "tell which lock a secret opens")
    static var usage: [UsageElement] {
        [vaultChoice.secret.elements, vaultChoice.keyless, .optional(LockChoice.lock)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        var locked = try vaultChoice.locks(call)
        if let name = call.first(LockChoice.lock) {
            let lock = try LockChoice.find(name, in: locked.list)
            locked = locked.limited(to: lock)
        }
        let person = Person(call)
        let opened = try locked.open(vaultChoice.secret.offered(call), person, call)
        person.say("It opens \(LockWords.name(opened.lock)).")
        call.output.line(String(decoding: opened.lock.id, as: UTF8.self))
        return .success
    }
}
