import CommandInterface
import Cryptography
import Locks
import Plumbing
import Unlocking
import VaultKeys

/// The kind that was asked for, where all other options go with it.
func fittingKind(_ call: Invocation) throws -> LockKind {
    guard let kind = call[kind] else { throw UsageError("'--kind' is needed") }
    let name = quoted(kind.name)
    let isForKey = kind == .rsaOAEP || kind == .p256
    let helpers = secret.providers(call).count
    let strangers = [
        ("'--kdf'", call[kdf] != nil && kind != .passphrase),
        ("'--recipient'", recipient.isGiven(call) && !isForKey),
        ("'--provider'", helpers > 0 && kind != .command),
        ("a secret", secret.namesContent(call) && (isForKey || kind == .command)),
    ]
    if let stranger = strangers.first(where: { $0.1 }) {
        throw UsageError("\(stranger.0) does not go with the kind \(name)")
    }
    if isForKey, !recipient.isGiven(call) {
        throw UsageError("'--recipient' is needed for the kind \(name)")
    }
    if kind == .command, helpers != 1 {
        throw UsageError("one '--provider' is needed for the kind \(name)")
    }
    return kind
}

/// The vault's key: from its options or the environment, else from standard input where the secret leaves that alone.
func givenKey(_ call: Invocation, _ kind: LockKind) throws -> KeyString {
    if let given = try key.givenKey(call) { return given }
    let isInputFree =
        secret.namesContent(call) || kind == .rsaOAEP || kind == .p256 || kind == .command
    guard isInputFree else { throw KeyOptionsError.noKey }
    return try key.keyOrInput(call)
}

/// What the lock is sealed under; a secret is read from where its option says, else from standard input.
func sealingSecret(_ call: Invocation, _ kind: LockKind) throws -> SealingSecret {
    if let helper = secret.providers(call).first {
        return .command(provider: helper.name, ask: helper.answer)
    }
    if let sealing = try recipient.secret(call, for: kind) { return sealing }
    let content = try secret.completed(secret.offered(call), call, for: kind).content
    guard let content else { throw SecretOptionsError.noSecret }
    switch try LockSecret.read(content, as: kind) {
    case .recoveryCode(let bytes): return .recoveryCode(bytes)
    case .passphrase(let text): return .passphrase(text, call[kdf] ?? .argon2id)
    case .secret(let bytes): return .secret(bytes)
    case .rsaKey, .p256Key, .commandOutput: throw SecretOptionsError.noSecret
    }
}

extension KeyString {
    /// What it gives as it is.
    var grant: Grant {
        switch self {
        case .vaultKey: .vault
        case .readKey: .read
        }
    }
}
