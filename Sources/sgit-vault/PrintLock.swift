import CommandInterface
import Devices
import Locks
import Objects
import Plumbing
import PrintedPages
import SecretMemory
import Unlocking
import VaultFile
import VaultKeys

/// Prints a recovery code, once it has proved that it opens the vault: no code is kept anywhere.
enum PrintLock: VaultCommand {
    static let word = Word(
        "lock print", "print a recovery code, after proving that it opens the vault")
    private static let output = Option(
        "o", nil, "file", "write the page to this file, which must not exist; else to the terminal",
        completion: .files, { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    private static let html = Flag(nil, "html", "write a page for a browser to print; with -o")
    private static let paper = Option(
        nil, "paper", "paper", "the paper of that page: a4, or letter",
        completion: .words(["a4", "letter"]),
        { name -> RecoveryPage.Paper? in
            switch String(decoding: name, as: UTF8.self) {
            case "a4": .a4
            case "letter": .letter
            default: nil
            }
        })
    static var usage: [UsageElement] {
        [
            .any(output, html, paper), vaultChoice.secret.contentElements, vaultChoice.keyless,
            .optional(LockChoice.lock),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        let vault = try vaultChoice.deviceVault(call)
        guard let remembered = vault.record.remembered else {
            throw DeviceError.noVaultFile(id: vault.id.text)
        }
        guard !call[html] || call[output] != nil else { throw UsageError("'--html' needs '-o'") }
        guard call[paper] == nil || call[html] else { throw UsageError("'--paper' needs '--html'") }
        let person = Person(call)
        if call[output] == nil, !person.isThere { throw PersonError.absent(prompt: "Code: ") }

        let proven = try code(of: vault, remembered.header, person, call)
        let page = RecoveryPage(
            code: proven.code.text, vaultID: vault.id.text,
            lockID: String(decoding: proven.lock.id, as: UTF8.self),
            fingerprint: LockWords.fingerprint(remembered.fingerprint),
            date: String(Timestamp.wholeSeconds(call.now).prefix(10)),
            program: "sgit-vault \(Tool.version)")
        guard let path = call[output] else {
            try person.show("", page.text(qrCodeFor: .terminal), "")
            return .success
        }
        try PrivateFile.create(
            path, call[html] ? page.html(paper: call[paper] ?? .a4) : page.text(qrCodeFor: .paper))
        person.say(
            "The code opens \(LockWords.name(proven.lock)). The page is in '\(path)': print it, and remove the file."
        )
        return .success
    }

    /// The code that is typed or given, and the lock that it opens.
    private static func code(
        of vault: DeviceVault, _ header: VaultHeader, _ person: Person, _ call: Invocation
    ) throws -> (lock: Lock, code: RecoveryCode) {
        var locked = LockedVault(path: vault.name, header)
        if let name = call.first(LockChoice.lock) {
            let lock = try LockChoice.find(name, in: locked.list)
            guard lock.kind == .recoveryCode else {
                throw LockChoiceError.notPrinted(id: lock.id, kind: lock.kindName)
            }
            locked = locked.limited(to: lock)
        }
        if let content = try vaultChoice.secret.offered(call)?.content {
            let found = try locked.mended(TypedCode(content), person, call)
            return (found.opened.lock, found.code)
        }
        let found = try LockedVault.trying(person) { try locked.askCode(person, call) }
        return (found.opened.lock, found.code)
    }
}
