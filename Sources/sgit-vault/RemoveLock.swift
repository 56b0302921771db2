import CommandInterface
import Devices
import Locks
import Plumbing
import VaultFile

/// Takes a lock off a vault.
enum RemoveLock: VaultCommand {
    static let word = Word("lock remove", "let a secret open a vault no longer")
    private static let noLocks = Flag(
        nil, "no-locks",
        "also the last lock that gives the vault key: only the key itself opens it then")
    static var usage: [UsageElement] {
        [.any(noLocks), vaultChoice.elements, .one(LockChoice.lock)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault(call)
        let (session, _) = try vault.owned()
        let name = call[LockChoice.lock]
        var removed: Lock?
        let outcomes = try session.changeLocks { list in
            let lock = try LockChoice.find(name, in: list)
            let rest = list.removing(lock.id)
            guard rest.grantsVault || call[noLocks] else { throw LockChoiceError.last(id: lock.id) }
            removed = lock
            return rest
        }
        let person = Person(call)
        if let removed {
            person.say(
                "\(LockWords.name(removed)) is removed. Older copies of the file still open with it; only a new vault shuts it out of those."
            )
        }
        return Saving.tell(outcomes, person, call)
    }
}
