import CommandInterface
import Devices
import Locks
import Plumbing
import Unlocking
import VaultFile

/// Lists the locks of a vault; nothing is opened for it.
enum ListLocks: VaultCommand {
    static let word = Word("lock list", "list what opens a vault")
    static var usage: [UsageElement] { [.any(records.json), vaultChoice.keyless] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        for lock in try vaultChoice.locks(call).list.locks {
            if call[records.json] {
                records.print(LockJSON.object(lock), call)
                continue
            }
            let fields = [
                lock.id, lock.kindName, Array((lock.grant?.rawValue ?? "-").utf8), lock.createdAt,
                lock.rehearsedAt ?? Array("-".utf8),
                lock.label.isEmpty ? Array("-".utf8) : lock.label,
            ]
            call.output.line(
                fields.map { displayable(String(decoding: $0, as: UTF8.self)) }
                    .joined(separator: "\t"))
        }
        return .success
    }
}
