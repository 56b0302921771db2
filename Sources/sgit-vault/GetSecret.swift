import CommandInterface
import Encodings
import Plumbing
import Secrets

/// Shows a secret with its hidden values masked, or prints one field.
enum GetSecret: VaultCommand {
    static let word = Word("get", "show a secret, or print the value of one field")
    private static let reveal = Flag(nil, "reveal", "show hidden values too")
    private static let field = Operand(
        "field", "the field to print: the value and a line feed", { $0.isEmpty ? nil : $0 })
    static var usage: [UsageElement] {
        [.any(reveal, records.json), vaultChoice.elements, .one(secretName), .optional(field)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let secret = try OpenVault.toRead(call).secrets().one(call[secretName])
        let document = secret.document
        if let field = call.first(field) {
            guard let value = document.value(of: field) else {
                throw SecretNameError.noField(field, in: document.title)
            }
            if call[records.json] {
                records.print(.string(value), call)
            } else {
                call.output.write(value)
                call.output.write(0x0A)
            }
            return .success
        }
        if call[records.json] {
            let fields = document.fields.map { field in
                JSONValue.Member(
                    name: field.name,
                    value: isShown(field.name, document, call) ? .string(field.value) : .null)
            }
            records.print(
                .object(
                    SecretJSON.facts(of: secret) + [
                        .init("notes", .string(document.notes)), .init("fields", .object(fields)),
                    ]), call)
            return .success
        }
        show("title", document.title, call)
        show("kind", document.kind, call)
        for field in document.fields {
            let name = displayable(String(decoding: field.name, as: UTF8.self))
            show(name, isShown(field.name, document, call) ? field.value : Array(mask.utf8), call)
        }
        if !document.tags.isEmpty { show("tags", document.tagList, call) }
        if !document.notes.isEmpty { show("notes", document.notes, call) }
        return .success
    }

    private static let mask = "········"

    private static func isShown(
        _ field: [UInt8], _ document: SecretDocument, _ call: Invocation
    ) -> Bool { call[reveal] || !document.hides(field) }

    /// A field on a line; of a value of several lines the others are indented.
    private static func show(_ name: String, _ value: [UInt8], _ call: Invocation) {
        let lines = value.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { displayable(String(decoding: $0, as: UTF8.self)) }
        call.output.line("\(name): \(lines.joined(separator: "\n    "))")
    }
}

extension SecretDocument {
    /// The value of a field, else of what stands beside the fields; nil where there is none of that name.
    fileprivate func value(of name: [UInt8]) -> [UInt8]? {
        if let value = field(name) { return value }
        switch String(decoding: name, as: UTF8.self) {
        case "title": return title
        case "kind": return kind
        case "id": return id
        case "notes": return notes
        case "tags": return tagList
        default: return nil
        }
    }

    fileprivate var tagList: [UInt8] { Array(tags.joined(separator: ",".utf8)) }
}
