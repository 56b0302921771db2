import CommandInterface
import Cryptography
import Devices
import Encodings
import Locks
import Objects
import Plumbing
import Secrets
import VaultFile

/// Stores a new secret.
enum AddSecret: VaultCommand {
    static let word = Word("add", "store a new secret")
    private static let kind = Operand(
        "kind", "what it is: \(SecretKind.all.map(\.name).joined(separator: ", "))",
        completion: .words(SecretKind.all.map(\.name)), { SecretKind.named($0) })
    private static let title = Operand(
        "title", "what it is called", { !$0.isEmpty && UTF8Text.isValid($0) ? $0 : nil })
    private static let field = Operand(
        "field=value", "a field that is not hidden, and its value", SecretFields.halves)
    static let fields = SecretFields()
    private static let tag = Option(
        nil, "tag", "tag", "a word to find it by", repeated: true,
        { !$0.isEmpty && UTF8Text.isValid($0) ? $0 : nil })
    private static let notes = Option(
        nil, "notes", "text", "a note that is not hidden", { UTF8Text.isValid($0) ? $0 : nil })
    static var usage: [UsageElement] {
        [
            fields.elements, .any(tag, notes), vaultChoice.elements, .one(kind), .one(title),
            .anyNumber(field),
        ]
    }

    /// From how many secrets on a vault without a recovery code is one hint too many.
    private static let manySecrets = 10

    static func run(_ call: Invocation) throws -> ExitStatus {
        let kind = call[kind]
        let title = call[title]
        let shown = call.all(field)
        if let (name, _) = shown.first(where: { SecretKind.hides($0.0) }) {
            throw SecretFieldError.hiddenArgument(name)
        }
        let given = try shown.map { ($0, try SecretFields.text($1, $0)) } + fields.read(call)
        for (name, _) in given { try SecretFields.check(name) }
        let person = Person(call)
        let vault = try OpenVault(call)
        _ = try vault.writableCopy()

        var document = SecretDocument(
            kind: kind, title: title, time: Timestamp.wholeSeconds(call.now), random: .system)
        for (name, value) in given { document.setField(name, value) }
        document.setTags(call.all(tag))
        if let notes = call[notes] { document.setNotes(notes) }
        if let main = kind.mainField, document.field(Array(main.name.utf8)) == nil {
            let name = Array(main.name.utf8)
            document.setField(
                name, try person.ask(field: name, isHidden: true, isMade: main.isMade))
        }
        document.orderFields(as: kind)

        var count = 0
        let status = try vault.changeSecret(person, call) { list in
            count = list.secrets.count + 1
            if list.secrets.contains(where: { $0.document.title == title }) {
                person.say("another secret is called \(quoted(title)) too")
            }
            return (
                list.path(forNew: document), document,
                SecretMessage.text("Add \(kind.name)", title)
            )
        }
        if count >= manySecrets, let session = vault.session,
            !session.lockList.locks.contains(where: { $0.kind == .recoveryCode })
        {
            person.say(
                "No recovery code opens this vault yet: sgit-vault lock add recovery-code makes one."
            )
        }
        return status
    }
}
