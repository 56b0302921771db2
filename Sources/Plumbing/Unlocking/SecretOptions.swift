package import CommandInterface
import Encodings
package import Locks
package import SecretMemory

/// How the secret of a lock reaches a tool: by file or descriptor, never as an argument.
///
/// Declared once for all tools.
package final class SecretOptions: Sendable {
    private let file = Option(
        nil, "secret-file", "file", "read the secret from this file", completion: .files,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    private let descriptor = Option(
        nil, "secret-fd", "n", "read the secret from this descriptor",
        { Decimal.parse($0).flatMap { Int32(exactly: $0) } })
    private let acceptsReadableByOthers = Flag(
        nil, "insecure-secret-file", "take a secret file that others can read")
    private let provider = Option(
        nil, "provider", "name[=program]", "have this helper answer for locks of kind command",
        repeated: true, LockProvider.Choice.init)

    package init() {}

    /// Where a secret is read, and which helpers may answer.
    package var elements: UsageElement { .group([contentElements, .any(provider)]) }

    /// Where a secret is read.
    package var contentElements: UsageElement {
        .group([.atMostOne(file, descriptor), .any(acceptsReadableByOthers)])
    }

    /// What an option says; nil where none says anything.
    package func offered(_ call: Invocation) throws -> OfferedSecret? {
        let content = try source(call).map { try read($0, call) }
        let helpers = providers(call)
        guard content != nil || !helpers.isEmpty else { return nil }
        return OfferedSecret(content: content, providers: helpers)
    }

    /// Whether an option says where a secret is, or what helps.
    package func isGiven(_ call: Invocation) -> Bool {
        source(call) != nil || !providers(call).isEmpty
    }

    /// What an option said, and where it said nothing that opens a lock of this kind, the secret on standard input.
    package func completed(
        _ offered: OfferedSecret?, _ call: Invocation, for kind: LockKind
    ) throws -> OfferedSecret {
        let offered = offered ?? OfferedSecret(content: nil, providers: [])
        guard kind != .command, offered.content == nil else { return offered }
        return OfferedSecret(content: try input(call), providers: offered.providers)
    }

    /// Whether an option says where the secret is.
    package func namesContent(_ call: Invocation) -> Bool { source(call) != nil }

    /// The helpers that were named, in order.
    package func providers(_ call: Invocation) -> [LockProvider] {
        call.all(provider).map { LockProvider($0, call) }
    }

    /// The secret on standard input, as it is.
    package func input(_ call: Invocation) throws -> SecretBytes { try read(.descriptor(0), call) }

    // MARK: -

    private func source(_ call: Invocation) -> SecretInput? {
        if let path = call[file] { return .file(path) }
        if let number = call[descriptor] { return .descriptor(number) }
        return nil
    }

    private func read(
        _ source: SecretInput, _ call: Invocation
    ) throws(SecretOptionsError) -> SecretBytes {
        do throws(SecretInputError) {
            return try source.readDocument(
                acceptingReadableByOthers: call[acceptsReadableByOthers])
        } catch {
            throw .input(error)
        }
    }
}

/// Why no secret was taken.
package enum SecretOptionsError: Error {
    /// A lock needs one and none was given.
    case noSecret
    case input(SecretInputError)
    /// A lock of kind `command` names a helper that the person did not.
    case noProvider(name: [UInt8])
}
