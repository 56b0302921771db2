import CommandInterface
package import Objects
import Plumbing

/// Removes files from the head; history keeps them.
enum Remove: VaultCommand {
    static let word = Word("rm", "remove files from the head; history keeps them")
    private static let recursive = Flag("r", nil, "remove folders, with all that is in them")
    private static let path = Operand("path", "a path in the vault", VaultPath.existing)
    static var usage: [UsageElement] {
        [.any(recursive, message), vaultChoice.elements, .oneOrMore(path)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let given = try call[message].map { try CommitMessage($0) }
        let vault = try OpenVault(call)
        let change = try VaultChange(vault, call)

        for path in call.all(path) {
            do {
                try change.remove(path, below: call[recursive])
            } catch TreeEditError.folderInTheWay(let path) {
                throw RemoveError.isFolder(path)
            }
        }
        return try change.commit(message: given?.text ?? change.summary)
    }
}

package enum RemoveError: Error {
    /// A folder goes only where that is asked for.
    case isFolder([EntryName])
}
