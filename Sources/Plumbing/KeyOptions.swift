package import CommandInterface
import Cryptography
import Encodings
import SecretMemory
package import VaultKeys

/// How a key reaches a tool: by file or descriptor, never as an argument.
///
/// Declared once for all tools.
package struct KeyOptions: Sendable {
    private let file = Option(
        nil, "key-file", "file", "read the key from this file", completion: .files,
        { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) })
    private let descriptor = Option(
        nil, "key-fd", "n", "read the key from this descriptor",
        { Decimal.parse($0).flatMap { Int32(exactly: $0) } })
    private let acceptsReadableByOthers = Flag(
        nil, "insecure-key-file", "take a key file that others can read")

    package init() {}

    package var elements: UsageElement {
        .group([.atMostOne(file, descriptor), .any(acceptsReadableByOthers)])
    }

    /// Where the key comes from; nil where neither an option nor the environment says.
    ///
    /// - Throws: `KeyOptionsError.badEnvironment`.
    private func source(_ call: Invocation) throws -> SecretInput? {
        if let path = call[file] { return .file(path) }
        if let number = call[descriptor] { return .descriptor(number) }
        if let path = call.environment("SGIT_KEY_FILE") { return .file(path) }
        if let text = call.environment("SGIT_KEY_FD") {
            guard let number = Decimal.parse(Array(text.utf8)).flatMap({ Int32(exactly: $0) })
            else {
                throw KeyOptionsError.badEnvironment(name: "SGIT_KEY_FD")
            }
            return .descriptor(number)
        }
        return nil
    }

    /// Takes the key, of either kind.
    ///
    /// - Parameter otherwise: where to read it when nothing says where.
    /// - Throws: `KeyOptionsError`, `SecretInputError`, `KeyStringError`.
    package func key(_ call: Invocation, otherwise: SecretInput? = nil) throws -> KeyString {
        ProcessHardening.apply()
        CryptographicLibrary.start(
            readingConfiguration: call.environment("SGIT_OPENSSL_CONF") == "1")
        guard let source = try source(call) ?? otherwise else { throw KeyOptionsError.noKey }
        return try KeyString.parse(
            source.read(acceptingReadableByOthers: call[acceptsReadableByOthers]))
    }
}

/// Why no key was taken.
package enum KeyOptionsError: Error {
    case noKey
    case badEnvironment(name: String)
}
