import CommandInterface
import Cryptography
import Devices
import Objects
import Plumbing
import Store

/// Stores files.
enum Put: VaultCommand {
    static let word = Word("put", "store a file, or all files of a folder, in one commit")
    private static let path = Operand("path", "a path in the vault", { $0 })
    private static let source = Operand(
        "source", "the file or folder to store; else standard input", completion: .files,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    static var usage: [UsageElement] {
        [.any(message), vaultChoice.elements, .one(path), .optional(source)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let given = try call[message].map { try CommitMessage($0) }
        let sources = try PutSources(path: call[path], source: call.first(source), call)
        let vault = try OpenVault(call)
        let change = try VaultChange(vault, call)

        if call.first(source) == nil, call.inputIsTerminal {
            call.warn(
                Report(
                    "reading from the terminal; Ctrl-D on a line of its own ends it",
                    status: .success))
        }
        for source in sources.list { try change.put(source) }
        let written = sources.isFolder ? change.summary : [UInt8]("write ".utf8) + call[path]
        return try change.commit(message: given?.text ?? VaultChange.cut(written))
    }
}
