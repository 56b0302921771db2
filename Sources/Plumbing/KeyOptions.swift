package import CommandInterface
import Cryptography
import Encodings
import SecretMemory
package import VaultKeys

/// How a key reaches a tool: by file or descriptor, never as an argument.
///
/// Declared once for all tools.
package final class KeyOptions: Sendable {
    private let file = Option(
        nil, "key-file", "file", "read the key from this file", completion: .files,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    private let descriptor = Option(
        nil, "key-fd", "n", "read the key from this descriptor",
        { Decimal.parse($0).flatMap { Int32(exactly: $0) } })
    private let acceptsReadableByOthers = Flag(
        nil, "insecure-key-file", "take a key file that others can read")

    package init() {}

    package var elements: UsageElement {
        .group([.atMostOne(file, descriptor), .any(acceptsReadableByOthers)])
    }

    /// Whether a key file that others can read is taken.
    package func acceptsReadableByOthers(_ call: Invocation) -> Bool {
        call[acceptsReadableByOthers]
    }

    /// Where an option says the key is; nil where none does.
    private func source(_ call: Invocation) -> SecretInput? {
        if let path = call[file] { return .file(path) }
        if let number = call[descriptor] { return .descriptor(number) }
        return nil
    }

    /// Whether an option says where the key is.
    package func isNamed(_ call: Invocation) -> Bool { source(call) != nil }

    /// Where the environment says the key is; nil where it does not.
    private func environmentSource(_ call: Invocation) throws -> SecretInput? {
        let path = call.environment("SGIT_KEY_FILE")
        if let text = call.environment("SGIT_KEY_FD") {
            guard path == nil else { throw KeyOptionsError.twoKeys }
            guard let number = Decimal.parse(Array(text.utf8)).flatMap({ Int32(exactly: $0) })
            else {
                throw KeyOptionsError.badEnvironment(name: "SGIT_KEY_FD")
            }
            return .descriptor(number)
        }
        return path.map { .file($0) }
    }

    /// Takes the key, of either kind, from where an option or else the environment says.
    ///
    /// - Throws: `KeyOptionsError`, `SecretInputError`, `KeyStringError`.
    package func key(_ call: Invocation) throws -> KeyString {
        guard let key = try givenKey(call) else { throw KeyOptionsError.noKey }
        return key
    }

    /// The key from where an option or else the environment says; nil where neither does.
    package func givenKey(_ call: Invocation) throws -> KeyString? {
        prepare(call)
        guard let source = try source(call) ?? environmentSource(call) else { return nil }
        return try KeyString.parse(read(source, call))
    }

    /// Whether an option or the environment says where a key is.
    package func isGiven(_ call: Invocation) throws -> Bool {
        try source(call) != nil || environmentSource(call) != nil
    }

    /// The key that a device keeps beside its store.
    package func key(inFile path: String, _ call: Invocation) throws -> KeyString {
        prepare(call)
        return try KeyString.parse(read(.file(path), call))
    }

    /// Takes the key from where an option says, else from standard input, and only where that is a terminal or empty
    /// from where the environment says.
    ///
    /// The environment holds the key of the store at work; a key that is piped in is meant.
    /// - Throws: `KeyOptionsError`, `SecretInputError`, `KeyStringError`.
    package func keyOrInput(_ call: Invocation) throws -> KeyString {
        prepare(call)
        if let source = source(call) { return try KeyString.parse(read(source, call)) }
        let input: SecretBytes
        do throws(SecretInputError) {
            input = try SecretInput.descriptor(0).read()
        } catch {
            guard error.leavesRoomForEnvironment, let source = try environmentSource(call) else {
                throw error
            }
            input = try read(source, call)
        }
        return try KeyString.parse(input)
    }

    private func read(_ source: SecretInput, _ call: Invocation) throws(SecretInputError)
        -> SecretBytes
    {
        try source.read(acceptingReadableByOthers: call[acceptsReadableByOthers])
    }

    /// What a program does before it holds a key.
    package func prepare(_ call: Invocation) {
        ProcessHardening.apply()
        CryptographicLibrary.start(
            readingConfiguration: call.environment("SGIT_OPENSSL_CONF") == "1")
    }
}

/// Why no key was taken.
package enum KeyOptionsError: Error {
    case noKey
    /// The environment names a file and a descriptor.
    case twoKeys
    case badEnvironment(name: String)
}
