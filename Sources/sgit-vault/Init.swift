import CommandInterface
import Cryptography
import Devices
import Encodings
import FileSystem
import Locks
import Plumbing
import Store
import Unlocking
import VaultFile
import VaultKeys

/// Makes a vault: in a file that locks open, or in a folder alone.
enum Init: VaultCommand {
    static let word = Word("init", "make a vault in a file, or in a folder")
    private static let format = Option(
        nil, "format", "format", "the vault format: 2, or 1 for old readers",
        completion: .words(["1", "2"]),
        { number in Decimal.parse(number).flatMap { (1...2).contains($0) ? $0 : nil } })
    private static let noLocks = Flag(
        nil, "no-locks", "make no lock: without the key that this device keeps, nothing opens it")
    private static let passphrase = NewSecretOptions("passphrase", "the passphrase of a lock")
    private static let file = Operand(
        "file", "the vault file to make", completion: .files,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    static var usage: [UsageElement] {
        [
            .any(format, chosenName, noKeepKey, noLocks), passphrase.elements,
            .any(recoveryCodeFile, vaultChoice.store.store), .optional(file),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        guard let file = call.first(file) else { return try inFolder(call) }
        guard call[vaultChoice.store.store] == nil else {
            throw UsageError("a file and '--store' do not go together")
        }
        let path = try StorePath.absolute(file, call)
        guard !FileTarget.isNamed(path) else { throw InitError.exists(path: file) }
        let home = try DeviceHome.ofPerson(call)
        try home.clear(forNewFile: path)
        let known = try home.vaults().first { vault in
            vault.record.stores.contains { $0.path == path }
        }
        if let known { throw InitError.awaited(path: file, id: known.id.text) }
        let person = Person(call)
        let wishes = try Wishes(call, person)

        let vault = newVault(call)
        let key = KeyString.vaultKey(vault.key)
        let locks = try wishes.locks(for: key, call)
        let session = try NewLock.undoing(locks) {
            try DeviceSession.begin(
                vault, in: home, path: path, name: StorePath.name(of: path),
                device: call.chosenDeviceName, keepsKey: !call[noKeepKey],
                LockList(locks: locks.map(\.lock), removed: []), call.conditions)
        }

        for lock in locks { try lock.show(person) }
        person.say(
            "\(displayable(file)) opens with: \(LockWords.list(session.lockList)).   Fingerprint \(LockWords.fingerprint(session.fingerprint))"
        )
        KeptKeyWords.say(isKept: !call[noKeepKey], person)
        return .success
    }

    /// Which locks the new vault gets: those that the call names, else a passphrase and a recovery code.
    private struct Wishes {
        private var passphrase: SealingSecret?
        private let makesCode: Bool
        private let codeFile: String?

        init(_ call: Invocation, _ person: Person) throws {
            codeFile = call[recoveryCodeFile]
            let given = try Init.passphrase.passphrase(call)
            if call[noLocks] {
                guard given == nil, codeFile == nil else {
                    throw UsageError("'--no-locks' and a lock do not go together")
                }
                makesCode = false
                return
            }
            if given != nil || codeFile != nil {
                passphrase = given.map { .passphrase($0, .argon2id) }
                makesCode = codeFile != nil
                return
            }
            guard let typed = try person.askNewPassphrase("Passphrase: ", mayBeEmpty: false) else {
                throw PersonError.nothingTyped
            }
            passphrase = .passphrase(typed, .argon2id)
            makesCode = true
        }

        func locks(for key: KeyString, _ call: Invocation) throws -> [NewLock] {
            var locks: [NewLock] = []
            if let passphrase {
                locks.append(try NewLock(key, grant: .vault, under: passphrase, call))
            }
            if makesCode { locks.append(try .recoveryCode(key, file: codeFile, call)) }
            return locks
        }
    }

    private static func newVault(_ call: Invocation) -> NewVault {
        NewVault(
            format: call[format] ?? 2, deviceName: call.chosenDeviceName, time: call.now,
            random: .system, runtimeFolder: call.conditions.runtimeFolder)
    }

    /// A vault in a folder, with no file and no lock.
    private static func inFolder(_ call: Invocation) throws -> ExitStatus {
        guard let folder = call[vaultChoice.store.store] else {
            throw UsageError("<file>, or '--store', is needed")
        }
        guard !call[noLocks], !call[noKeepKey], !passphrase.isGiven(call),
            call[recoveryCodeFile] == nil
        else { throw UsageError("a vault in a folder has no locks: name a file") }
        let vault = newVault(call)
        try vault.make(at: folder, readKey: vault.key.readKey(), keepsKey: true)
        call.warn(
            Report(
                "made the vault '\(vault.key.vaultID.text)' in '\(folder)'",
                hint:
                    "this device keeps its key in '\(folder)/.sg_vault/local/vault_key': without it nothing opens the vault",
                status: .success))
        return .success
    }
}

extension Invocation {
    /// What this device is called.
    var chosenDeviceName: String { self[chosenName] ?? deviceName }
}

enum InitError: Error {
    case exists(path: String)
    /// The file is not there, but a vault of this device is saved into it.
    case awaited(path: String, id: String)
}

/// What is said of the key on this device.
enum KeptKeyWords {
    static func say(isKept: Bool, _ person: Person) {
        person.say(
            isKept
                ? "This device keeps the key. To be asked each time instead: sgit-vault forget --key"
                : "This device does not keep the key: each command asks for what opens a lock.")
    }
}
