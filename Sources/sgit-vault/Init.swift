import CommandInterface
import Cryptography
import Devices
import Encodings
import Plumbing
import Store

/// Makes a vault.
enum Init: VaultCommand {
    static let word = Word("init", "make a vault in a folder")
    private static let format = Option(
        nil, "format", "format", "the vault format: 2, or 1 for old readers",
        completion: .words(["1", "2"]),
        { number in Decimal.parse(number).flatMap { (1...2).contains($0) ? $0 : nil } })
    static var usage: [UsageElement] { [.required(store.store), .any(format)] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        guard let folder = call[store.store] else { throw UsageError("'--store' is needed") }
        store.key.prepare(call)
        let vaultID = try NewVault(
            format: call[format] ?? 2, deviceName: call.deviceName, time: call.now,
            random: .system, runtimeFolder: call.environment("XDG_RUNTIME_DIR")
        ).make(at: folder)
        call.warn(
            Report(
                "made the vault '\(vaultID)' in '\(folder)'",
                hint:
                    "this device keeps its key in '\(folder)/.sg_vault/local/vault_key': without it nothing opens the vault",
                status: .success))
        return .success
    }
}
