import CommandInterface
import Cryptography
import Encodings
import Locks
import Objects
import Plumbing
import SecretMemory
import Unlocking
import VaultKeys

/// A lock that is about to be added, with what opens it; for a recovery code that a person must be shown, the code.
struct NewLock {
    let lock: Lock
    /// Nil where the code, if it is one, was written to a file.
    var code: RecoveryCode?
    /// The file that its code was written to.
    private var codeFile: String?
    /// Whether the secret is what a person chose, rather than a machine.
    var kind: LockKind { lock.kind }

    /// Seals a lock, and opens it again with the same secret before anything hangs on it.
    ///
    /// - Throws: `LockError`, and what a helper throws.
    init(
        _ key: KeyString, grant: Grant, under sealing: SealingSecret, label: [UInt8] = [],
        _ call: Invocation
    ) throws {
        lock = try Lock.seal(
            key, grant: grant, under: sealing,
            createdAt: Array(Timestamp.wholeSeconds(call.now).utf8), label: label, random: .system)
        guard let secret = try sealing.opening(lock, vaultID: key.vaultID.bytes) else { return }
        let opened = try lock.unseal(with: secret, vaultID: key.vaultID.bytes)
        guard opened.vaultID.bytes == key.vaultID.bytes else {
            throw LockError.doesNotOpen(id: lock.id)
        }
    }

    /// A lock for a new recovery code, which goes into a file where one is named.
    static func recoveryCode(
        _ key: KeyString, grant: Grant = .vault, label: [UInt8] = [], file: String?,
        _ call: Invocation
    ) throws -> NewLock {
        let code = RecoveryCode(random: .system)
        var new = try NewLock(
            key, grant: grant, under: .recoveryCode(code.secret), label: label, call)
        if let file {
            try PrivateFile.create(file, code.line)
            new.codeFile = file
        } else {
            new.code = code
        }
        return new
    }

    /// Runs what puts the locks to use; where that fails their code files go, since their codes open nothing.
    static func undoing<Result>(_ locks: [NewLock], _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            for file in locks.compactMap(\.codeFile) { try? PrivateFile.remove(file) }
            throw error
        }
    }

    /// Shows the code that was made, on the terminal alone.
    func show(_ person: Person) throws {
        guard let code else { return }
        try person.show(
            "Recovery code (shown once): ", code.text,
            "      to print it: sgit-vault lock print")
    }
}

extension SealingSecret {
    /// The secret that opens a lock sealed under this one; nil where only the holder of a private key has it.
    fileprivate func opening(_ lock: Lock, vaultID: [UInt8]) throws -> LockSecret? {
        switch self {
        case .recoveryCode(let bytes): return .recoveryCode(bytes)
        case .passphrase(let text, _): return .passphrase(text)
        case .secret(let bytes): return .secret(bytes)
        case .rsaOAEP, .p256: return nil
        case .command(_, let ask):
            return try lock.commandQuestion(vaultID: vaultID).map { .commandOutput(try ask($0)) }
        }
    }
}

extension RecoveryCode {
    /// As it is written to a file.
    var line: SecretBytes {
        let text = text
        return SecretBytes(count: text.count + 1) { target in
            text.withBytes { target.copyMemory(from: $0) }
            target[text.count] = 0x0A
            return target.count
        }
    }
}

/// Options that say where a new secret is read, called by what it is for.
struct NewSecretOptions: Sendable {
    private let file: Option<String>
    private let descriptor: Option<Int32>

    /// - Parameter name: `passphrase`, or `new-secret`.
    init(_ name: String, _ what: String) {
        file = Option(
            nil, "\(name)-file", "file", "read \(what) from this file", completion: .files,
            { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
        descriptor = Option(
            nil, "\(name)-fd", "n", "read \(what) from this descriptor",
            { Decimal.parse($0).flatMap { Int32(exactly: $0) } })
    }

    var elements: UsageElement { .atMostOne(file, descriptor) }

    func isGiven(_ call: Invocation) -> Bool { call[file] != nil || call[descriptor] != nil }

    /// The secret as it is; nil where no option says where it is.
    func read(_ call: Invocation) throws -> SecretBytes? {
        let source: SecretInput? =
            call[file].map { .file($0) } ?? call[descriptor].map { .descriptor($0) }
        do throws(SecretInputError) {
            return try source?.readDocument(acceptingReadableByOthers: false)
        } catch {
            throw SecretOptionsError.input(error)
        }
    }

    /// A passphrase; nil where no option says where it is.
    func passphrase(_ call: Invocation) throws -> SecretBytes? {
        try read(call).map { content in
            do throws(PassphraseError) {
                return try Passphrase.read(content)
            } catch {
                throw LockSecretError.noPassphrase(error)
            }
        }
    }
}

let recoveryCodeFile = Option(
    nil, "recovery-code-file", "file",
    "write the new recovery code to this file, which must not exist",
    completion: .files, { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
let chosenName = Option(
    nil, "device", "name", "what this device is called; else as the system calls it",
    { name in
        let text = String(validating: name, as: UTF8.self)
        return text.flatMap { (1...64).contains($0.utf8.count) && $0 == displayable($0) ? $0 : nil }
    })
let noKeepKey = Flag(
    nil, "no-keep-key",
    "do not keep the key on this device: each command asks for what opens a lock")
