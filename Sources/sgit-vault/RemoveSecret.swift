import CommandInterface
import Plumbing
import Secrets

/// Removes a secret from the head.
enum RemoveSecret: VaultCommand {
    static let word = Word("remove", "remove a secret; its values stay in the history")
    static var usage: [UsageElement] { [vaultChoice.elements, .one(secretName)] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let name = call[secretName]
        let person = Person(call)
        let vault = try OpenVault(call)
        let secret = try vault.newestSecrets().one(name)
        let status = try vault.changeSecret(person, call) { list in
            let newest = try list.same(as: secret, named: name)
            return (newest.path, nil, SecretMessage.text("Remove", newest.document.title))
        }
        person.say("\(quoted(secret.document.title)) is removed. Its values stay in the history.")
        return status
    }
}
