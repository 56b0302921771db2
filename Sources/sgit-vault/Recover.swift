import CommandInterface
import Devices
import Locks
import Plumbing
import SecretMemory
import Unlocking
import VaultFile
import VaultKeys

/// Brings a vault back with its recovery code.
enum Recover: VaultCommand {
    static let word = Word("recover", "bring a vault back with its recovery code")
    private static let newPassphrase = NewSecretOptions(
        "new-passphrase", "a passphrase that is to open it too")
    static var usage: [UsageElement] {
        [
            .any(chosenName, noKeepKey), vaultChoice.secret.contentElements,
            newPassphrase.elements, .any(Open.fingerprint), .one(Open.file),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        let file = try VaultFile(call[Open.file])
        let person = Person(call)
        let given = try newPassphrase.passphrase(call)
        let typed = try vaultChoice.secret.offered(call)?.content
        let opened = try opened(file, typed, person, call)
        let arrival = try Arrival(file, key: opened.key, lock: opened.lock, person, call)
        // A script that gives the code is asked nothing.
        let passphrase =
            try typed == nil && given == nil
            ? person.askNewPassphrase("New passphrase (Enter: none): ", mayBeEmpty: true) : given

        // From here on nobody is asked, so that what is made is made whole.
        let session = try arrival.make()
        var status = ExitStatus.success
        if let passphrase {
            let new = try NewLock(
                opened.key, grant: .vault, under: .passphrase(passphrase, .argon2id), call)
            let outcomes = try session.changeLocks { list in
                var list = list
                try list.add(new.lock)
                return list
            }
            status = Saving.tell(outcomes.filter { !$0.isSaved }, person, call)
        }
        let count = try SecretCount.of(session)
        person.say("\(count) \(count == 1 ? "secret is" : "secrets are") back.")
        arrival.tell(person)
        return status
    }

    private static func opened(
        _ file: VaultFile, _ typed: SecretBytes?, _ person: Person, _ call: Invocation
    ) throws -> LockedVault.Opened {
        let locked = LockedVault(path: file.path, file.header)
        guard file.header.lockList.locks.contains(where: { $0.kind == .recoveryCode }) else {
            throw OpeningError.opensNothing(path: file.path, tried: 0)
        }
        if let typed { return try locked.mended(TypedCode(typed), person, call).opened }
        return try LockedVault.trying(person) { try locked.askCode(person, call).opened }
    }
}
