import CommandInterface
import Encodings
import Objects
import Plumbing
import Secrets

/// Lists secrets; no value is shown.
enum ListSecrets: VaultCommand {
    static let word = Word("list", "list the secrets, by kind and title")
    static var usage: [UsageElement] { [.any(records.json), vaultChoice.elements] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let list = try OpenVault.toRead(call).secrets()
        let secrets = list.secrets
        let width = secrets.map { $0.document.kind.count }.max() ?? 0
        for secret in secrets {
            if call[records.json] {
                records.print(.object(SecretJSON.facts(of: secret)), call)
                continue
            }
            let kind = displayable(String(decoding: secret.document.kind, as: UTF8.self))
            let gap =
                call.outputIsTerminal
                ? String(repeating: " ", count: width - secret.document.kind.count + 2) : "\t"
            call.output.line(
                kind + gap + displayable(String(decoding: secret.document.title, as: UTF8.self)))
        }
        var status = ExitStatus.success
        for (slug, reason) in list.unread {
            let report = Saving.report(on: reason)
            call.warn(
                Report(
                    "the secret \(quoted(slug)) is not listed: \(report.message)",
                    hint: report.hint,
                    status: report.status))
            if status == .success { status = report.status }
        }
        return status
    }
}

/// A secret for a program.
enum SecretJSON {
    static func facts(of secret: SecretList.Secret) -> [JSONValue.Member] {
        let document = secret.document
        return [
            .init("id", .string(document.id)), .init("kind", .string(document.kind)),
            .init("title", .string(document.title)),
            .init("tags", .array(document.tags.map { .string($0) })),
            .init("created_at", .string(document.createdAt)),
            .init("updated_at", .string(document.updatedAt)),
            .init("path", .string(PrettyLayout.path(secret.path))),
        ]
    }
}
