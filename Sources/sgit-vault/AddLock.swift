import CommandInterface
import Devices
import Locks
import Plumbing
import SecretMemory
import Unlocking
import VaultFile
import VaultKeys

/// Adds a lock to a vault.
enum AddLock: VaultCommand {
    static let word = Word("lock add", "let one more secret open a vault")
    private static let kind = Operand(
        "kind", "what opens the lock: recovery-code, passphrase, secret, rsa-oaep, p256 or command",
        completion: .words(LockKind.known.map { "\($0.name)" }),
        { name in LockKind.known.first { name.elementsEqual("\($0.name)".utf8) }?.kind })
    private static let grants = Option(
        nil, "grants", "key", "what the lock gives: vault, or read for a person who may not write",
        completion: .words(["vault", "read"]),
        { Grant(rawValue: String(decoding: $0, as: UTF8.self)) })
    private static let label = Option(
        nil, "label", "text", "a name for people, at most 64 characters", Lock.label)
    private static let recipient = RecipientOption()
    static let source = NewLockSource()
    static var usage: [UsageElement] {
        [
            .any(grants, label), source.elements, recipient.element, vaultChoice.elements,
            .one(kind),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let kind = call[kind]
        let vault = try OpenVault(call)
        let (session, key) = try vault.owned()
        let person = Person(call)
        let grant = call[grants] ?? .vault
        let new: NewLock
        if kind == .recoveryCode {
            new = try .recoveryCode(
                key, grant: grant, label: call[label] ?? [], file: call[recoveryCodeFile], call)
        } else {
            let sealing =
                try recipient.secret(call, for: kind) ?? source.secret(for: kind, person, call)
            new = try NewLock(key, grant: grant, under: sealing, label: call[label] ?? [], call)
        }
        let outcomes = try NewLock.undoing([new]) {
            try session.changeLocks { list in
                var list = list
                try list.add(new.lock)
                return list
            }
        }
        try new.show(person)
        if grant == .read {
            person.say(
                "Who opens this lock can read everything, now and later, and forge files: these tools refuse to, the mathematics does not."
            )
        }
        person.say(
            "\(LockWords.name(new.lock)) \(String(decoding: new.lock.id, as: UTF8.self)) is added.")
        return Saving.tell(outcomes, person, call)
    }
}

/// What a new lock is sealed under, as options and the terminal give it.
struct NewLockSource: Sendable {
    let secret = NewSecretOptions("new-secret", "the secret of the new lock")
    private let kdf = Option(
        nil, "kdf", "kdf", "how a key is made of a passphrase; else argon2id",
        completion: .words(["argon2id", "scrypt"]), PassphraseDerivation.ofName)

    var elements: UsageElement { .group([secret.elements, .any(kdf, recoveryCodeFile)]) }

    /// - Throws: `SecretOptionsError`, `PersonError`, `LockSecretError`.
    func secret(
        for kind: LockKind, _ person: Person, _ call: Invocation
    ) throws -> SealingSecret {
        switch kind {
        case .passphrase:
            let typed =
                try secret.passphrase(call)
                ?? person.askNewPassphrase("New passphrase: ", mayBeEmpty: false)
            guard let typed else { throw PersonError.nothingTyped }
            return .passphrase(typed, call[kdf] ?? .argon2id)
        case .secret:
            guard let content = try secret.read(call) else {
                throw UsageError(
                    "'--new-secret-file' or '--new-secret-fd' is needed for the kind 'secret'")
            }
            guard case .secret(let bytes) = try LockSecret.read(content, as: kind) else {
                throw LockSecretError.noSecret
            }
            return .secret(bytes)
        case .command:
            guard let helper = vaultChoice.secret.providers(call).first else {
                throw UsageError("'--provider' is needed for the kind 'command'")
            }
            return .command(provider: helper.name, ask: helper.answer)
        default:
            throw UsageError("'--recipient' is needed for the kind \(quoted(kind.name))")
        }
    }
}

extension OpenVault {
    /// The session and the vault key, for a change of the locks.
    ///
    /// - Throws: `DeviceError.readOnly`, `VaultChoiceError.noDeviceVault`.
    func owned() throws -> (session: DeviceSession, key: KeyString) {
        guard let session else { throw VaultChoiceError.noDeviceVault }
        guard !session.copy.isReadOnly, case .vaultKey = session.key else {
            throw DeviceError.readOnly(path: session.copy.root)
        }
        return (session, session.key)
    }
}
