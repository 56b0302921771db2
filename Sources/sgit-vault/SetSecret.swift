import CommandInterface
import Encodings
import Objects
import Plumbing
import Secrets

/// Gives fields of a secret new values.
enum SetSecret: VaultCommand {
    static let word = Word("set", "give fields of a secret new values")
    private static let field = Operand(
        "field", "FIELD=VALUE, or a field to be asked for; also title, notes and tags",
        { $0.isEmpty || !UTF8Text.isValid($0) ? nil : $0 })
    private static let unset = Option(
        nil, "unset", "field", "take a field away", repeated: true, { $0.isEmpty ? nil : $0 })
    static var usage: [UsageElement] {
        [
            AddSecret.fields.elements, .any(unset), vaultChoice.elements, .one(secretName),
            .anyNumber(field),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let name = call[secretName]
        let arguments = call.all(field).map { SecretFields.halves($0) ?? ($0, nil) }
        let removed = call.all(unset)
        var given = try AddSecret.fields.read(call)
        guard !arguments.isEmpty || !given.isEmpty || !removed.isEmpty else {
            throw UsageError("<field> is needed: what is to be set")
        }
        for field in arguments.map(\.0) + given.map(\.name) + removed where !isBeside(field) {
            try SecretFields.check(field)
        }
        let person = Person(call)
        let vault = try OpenVault(call)
        let secret = try vault.newestSecrets().one(name)
        for (field, value) in arguments {
            let isHidden = !isBeside(field) && secret.document.hides(field)
            if let value {
                guard !isHidden else { throw SecretFieldError.hiddenArgument(field) }
                given.append((field, try SecretFields.text(value, field)))
            } else {
                let isMade = SecretKind.named(secret.document.kind)?.fields.contains {
                    $0.isMade && field.elementsEqual($0.name.utf8)
                }
                given.append(
                    (
                        field,
                        try person.ask(field: field, isHidden: isHidden, isMade: isMade ?? false)
                    ))
            }
        }
        return try vault.changeSecret(person, call) { list in
            let newest = try list.same(as: secret, named: name)
            var document = newest.document
            for (field, value) in given { try set(field, value, in: &document) }
            for field in removed { document.removeField(field) }
            let changes = document.changes(since: newest.document)
            guard !changes.isEmpty else { return nil }
            document.touch(Timestamp.wholeSeconds(call.now))
            return (
                newest.path, document,
                SecretMessage.setting(changes, of: newest.document.title)
            )
        }
    }

    /// What stands in the document beside the fields, and is set like one.
    private static func isBeside(_ field: [UInt8]) -> Bool {
        ["title", "notes", "tags"].contains { field.elementsEqual($0.utf8) }
    }

    private static func set(
        _ field: [UInt8], _ value: [UInt8], in document: inout SecretDocument
    ) throws {
        switch String(decoding: field, as: UTF8.self) {
        case "title":
            guard !value.isEmpty else { throw UsageError("a title is not empty") }
            document.setTitle(value)
        case "notes": document.setNotes(value)
        case "tags":
            document.setTags(value.split(separator: UInt8(ascii: ",")).map { Array($0) })
        default: document.setField(field, value)
        }
    }
}
