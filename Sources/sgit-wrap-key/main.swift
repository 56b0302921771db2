// sgit-wrap-key: seals the key of a vault in a new lock.
import CommandInterface
import Cryptography
import Locks
import Objects
import Plumbing
import Unlocking
import VaultKeys

let kind = Option(
    nil, "kind", "kind", "what opens the lock",
    completion: .words(LockKind.known.map { "\($0.name)" }),
    { name in LockKind.known.first { name.elementsEqual("\($0.name)".utf8) }?.kind })
let grants = Option(
    nil, "grants", "key", "what the lock gives: vault or read; else the key as it is",
    completion: .words(["vault", "read"]),
    { Grant(rawValue: String(decoding: $0, as: UTF8.self)) })
let label = Option(nil, "label", "text", "a name for people, at most 64 characters", Lock.label)
let kdf = Option(
    nil, "kdf", "kdf", "how a key is made of a passphrase; else argon2id",
    completion: .words(["argon2id", "scrypt"]), PassphraseDerivation.ofName)
let recipient = RecipientOption()
let key = KeyOptions()
let secret = SecretOptions()

let tool = Tool(
    "sgit-wrap-key", "seal the key of a vault in a new lock",
    usage: [
        [
            .required(kind), .any(grants, label, kdf), recipient.element, key.elements,
            secret.elements,
        ]
    ])

tool.main { call in
    let kind = try fittingKind(call)
    let given = try givenKey(call, kind)
    let sealing = try sealingSecret(call, kind)
    if case .vaultKey(let key) = given, !key.isMachineMade {
        call.warn(
            Report(
                "no machine made this vault key: of it and the secret of the lock, the weaker counts",
                status: .success))
    }

    let lock = try Lock.seal(
        given, grant: call[grants] ?? given.grant, under: sealing,
        createdAt: Array(Timestamp.wholeSeconds(call.now).utf8), label: call[label] ?? [],
        random: .system)
    call.output.write(lock.line(vaultID: given.vaultID.bytes))
    return .success
}
