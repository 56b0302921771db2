import CommandInterface
import Objects
import Plumbing
import Store

/// Prints files.
enum Cat: VaultCommand {
    static let word = Word("cat", "print files")
    private static let path = Operand("path", "a path in the vault", { $0.isEmpty ? nil : $0 })
    static var usage: [UsageElement] { [.any(revision), vaultChoice.elements, .oneOrMore(path)] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let commit = try vault.commit(at: call[revision])
        for path in call.all(path) {
            let start = OpenStore.Found(id: commit, kind: .commit, name: commit.bytes)
            let found: OpenStore.Found
            do {
                found = try vault.open.entry(at: path, of: start)
            } catch ObjectNameError.noSuchPath {
                throw TreeEditError.noSuchPath(VaultPath.existing(path) ?? [])
            }
            guard found.kind == .blob else {
                throw TreeEditError.folderInTheWay(VaultPath.existing(path) ?? [])
            }
            call.output.write(try vault.open.objects.blob(found.id))
        }
        return .success
    }
}
