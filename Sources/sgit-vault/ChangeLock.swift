import CommandInterface
import Devices
import Locks
import Plumbing
import Unlocking
import VaultFile

/// Gives a lock another secret: a new lock takes its place.
enum ChangeLock: VaultCommand {
    static let word = Word("lock change", "change the secret of a lock")
    static var usage: [UsageElement] {
        [AddLock.source.elements, vaultChoice.elements, .one(LockChoice.lock)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault(call)
        let (session, key) = try vault.owned()
        let old = try LockChoice.find(call[LockChoice.lock], in: session.lockList)
        let person = Person(call)
        let grant = old.grant ?? .vault
        let new: NewLock
        switch old.kind {
        case .recoveryCode:
            new = try .recoveryCode(
                key, grant: grant, label: old.label, file: call[recoveryCodeFile], call)
        case .passphrase, .secret, .command:
            new = try NewLock(
                key, grant: grant,
                under: AddLock.source.secret(for: old.kind, person, call), label: old.label, call)
        default: throw LockChoiceError.wrongKind(id: old.id, kind: old.kindName)
        }
        // The new one was opened already; in one change it takes the place of the old one.
        let outcomes = try NewLock.undoing([new]) {
            try session.changeLocks { list in
                var list = list.removing(old.id)
                try list.add(new.lock)
                return list
            }
        }
        try new.show(person)
        person.say(
            "\(LockWords.name(new.lock)) is changed. Older copies of the file still open with the old one."
        )
        return Saving.tell(outcomes, person, call)
    }
}
