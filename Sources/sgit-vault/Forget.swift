import CommandInterface
import Devices
import Locks
import Plumbing
import VaultFile

/// Takes the key of a vault off this device.
enum Forget: VaultCommand {
    static let word = Word("forget", "keep the key of a vault on this device no longer")
    private static let key = Flag(
        nil, "key", "remove the key; each command then asks for what opens a lock")
    static var usage: [UsageElement] { [.required(key), vaultChoice.keyless] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try vaultChoice.deviceVault(call)
        let copy = try vault.copy()
        guard try copy.vaultKeyFile() != nil else {
            call.say("This device does not keep the key.")
            return .success
        }
        // Without a lock nobody could open the vault any more, the person at this device included.
        let locks = vault.record.remembered?.header.lockList.locks ?? []
        guard locks.contains(where: { $0.grant == .vault && $0.kind != .command }) else {
            throw ForgetError.nothingElseOpens(name: vault.name)
        }
        try copy.keep(nil)
        call.say(
            "This device keeps the key of \(displayable(vault.name)) no longer. It opens with: \(LockWords.list(vault.record.remembered?.header.lockList ?? .none))."
        )
        return .success
    }
}

enum ForgetError: Error {
    case nothingElseOpens(name: String)
}
