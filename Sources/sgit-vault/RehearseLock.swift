import CommandInterface
import Devices
import FileSystem
import Locks
import Objects
import Plumbing
import Store
import Unlocking
import VaultFile
import VaultKeys

/// Proves that the paper in a person's hand opens the file, and notes when it did.
enum RehearseLock: VaultCommand {
    static let word = Word(
        "lock rehearse", "prove that the printed code opens the file, and note the day")
    static var usage: [UsageElement] { [vaultChoice.elements] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        let vault = try vaultChoice.deviceVault(call)
        let person = Person(call)
        // The file itself, not what this device remembers of it.
        let store = vault.record.stores.first { StoredFile.identity(at: $0.path) != nil }
        guard let store else { throw RehearsalError.noFile(name: vault.name) }
        let file = try VaultFile(store.path)
        let proven = try prove(file, vault, person, call)
        let session = try DeviceSession(
            vault, vault.copy(),
            BareStore(vault.layout(), cipher: EnvelopeCipher(proven.readKey)), key: proven.key,
            call.conditions)
        person.say("The code opens \(LockWords.name(proven.lock)) of \(displayable(store.path)).")
        guard case .vaultKey = proven.key, !session.copy.isReadOnly else { return .success }
        let now = Array(Timestamp.wholeSeconds(call.now).utf8)
        let outcomes = try session.changeLocks { list in
            var list = list
            if let lock = list.lock(proven.lock.id) { try list.add(lock.rehearsed(at: now)) }
            return list
        }
        return Saving.tell(outcomes, person, call)
    }

    private static func prove(
        _ file: VaultFile, _ vault: DeviceVault, _ person: Person, _ call: Invocation
    ) throws -> (lock: Lock, key: KeyString, readKey: ReadKey) {
        let locked = LockedVault(path: file.path, file.header)
        let opened: LockedVault.Opened
        if let content = try vaultChoice.secret.offered(call)?.content {
            opened = try locked.mended(TypedCode(content), person, call).opened
        } else {
            opened = try LockedVault.trying(person) { try locked.askCode(person, call).opened }
        }
        let readKey = opened.key.readKey()
        let owner: OwnerKey? =
            if case .vaultKey(let key) = opened.key { OwnerKey(key, readKey) } else { nil }
        try file.verify(
            readKey, owner: owner, isProvenKey: true, remembered: vault.record.remembered)
        return (opened.lock, opened.key, readKey)
    }
}

enum RehearsalError: Error {
    case noFile(name: String)
}
