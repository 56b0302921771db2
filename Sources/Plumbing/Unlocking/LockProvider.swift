package import CommandInterface
package import Locks
package import SecretMemory

/// A helper that answers for locks of kind `command`: a program that the person named, never one that a file names.
///
/// It is run without a shell, reads the question on standard input and prints 64 lower-case hex digits.
/// - Source: docs/vault-file.md, "Locks".
package struct LockProvider {
    package let name: [UInt8]
    /// A path; nil where the environment leads to no configuration.
    private let program: [UInt8]?

    /// How long it may take, in seconds: a person may have to touch something.
    package static let patience = 60
    /// 64 digits and a line feed.
    private static let longestAnswer = 65

    /// `NAME`, or `NAME=PROGRAM`.
    struct Choice {
        let name: [UInt8]
        let program: [UInt8]?

        init?(_ text: [UInt8]) {
            let name = Array(text.prefix { $0 != UInt8(ascii: "=") })
            guard Lock.isProvider(name) else { return nil }
            self.name = name
            program = name.count < text.count ? Array(text[(name.count + 1)...]) : nil
            if let program, program.isEmpty || program.contains(0) { return nil }
        }
    }

    /// The program that the choice names, else the one of that name in the person's configuration.
    init(_ choice: Choice, _ call: Invocation) {
        name = choice.name
        let configuration =
            call.environment("XDG_CONFIG_HOME")
            ?? call.environment("HOME").map { $0 + "/.config" }
        program =
            choice.program
            ?? configuration.map { Array(($0 + "/sgit/providers/").utf8) + choice.name }
    }

    /// The 32 bytes that it answers.
    ///
    /// - Throws: `LockProviderError`; `ChildProcessError` where it does not start.
    package func answer(_ question: CommandQuestion) throws -> SecretBytes {
        guard let program else { throw LockProviderError.notConfigured(name: name) }
        let child = try ChildProcess(.file(program), input: .bytes(question.lines))
        // One byte more than fits shows that it says too much.
        guard
            let answer = child.answer(
                limit: LockProvider.longestAnswer + 1, seconds: LockProvider.patience)
        else { throw LockProviderError.late(name: name) }
        guard answer.output.count <= LockProvider.longestAnswer else {
            throw LockProviderError.badAnswer(name: name)
        }
        guard answer.end == .exited(0) else {
            throw LockProviderError.failed(name: name, answer.end)
        }
        // 32 raw bytes are no answer: it is digits.
        guard answer.output.count >= 64, let secret = LockSecret.readSecret(answer.output) else {
            throw LockProviderError.badAnswer(name: name)
        }
        return secret
    }
}

/// Why a helper gave no secret.
package enum LockProviderError: Error, Equatable {
    case notConfigured(name: [UInt8])
    case failed(name: [UInt8], ChildProcess.End)
    case badAnswer(name: [UInt8])
    /// It was killed.
    case late(name: [UInt8])
}
