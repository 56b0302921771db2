// sgit-vault: a vault for a person; the table of its commands.
import CommandInterface
import Plumbing

let commands: [any VaultCommand.Type] = [
    Init.self, Open.self, Recover.self, Status.self, Forget.self,
    AddLock.self, ListLocks.self, RemoveLock.self, ChangeLock.self, TestLock.self,
    RehearseLock.self, PrintLock.self,
    AddSecret.self, ListSecrets.self, GetSecret.self, SetSecret.self, RemoveSecret.self,
    SecretHistory.self,
    Put.self, Cat.self, List.self, Remove.self, Log.self, Show.self, Diff.self,
]

let tool = Tool(
    "sgit-vault", "keep secrets and files in an encrypted vault with history",
    usage: commands.map { [.word($0.word)] + $0.usage },
    answersNo: "diff --exit-code: they differ",
    moves: true)

tool.main { call in
    guard let command = commands.first(where: { $0.word.name == call.command }) else {
        throw UsageError("a command is needed")
    }
    return try command.run(call)
}
