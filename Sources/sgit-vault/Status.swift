import CommandInterface
import Devices
import Encodings
import Objects
import Plumbing
import Store
import VaultFile
import VaultKeys

/// Tells how a vault stands on this device.
enum Status: VaultCommand {
    static let word = Word("status", "tell what opens a vault, and where it is saved")
    static var usage: [UsageElement] { [.any(records.json), vaultChoice.elements] }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        let vault = try vaultChoice.deviceVault(call)
        let inside = try KeptKey.isAtHand(vault, call) ? Inside(call) : nil
        let record = inside?.record ?? vault.record
        if call[records.json] {
            records.print(try json(vault, record, inside), call)
            return .success
        }
        let fingerprint = record.remembered.map {
            "   Fingerprint \(LockWords.fingerprint($0.fingerprint))"
        }
        var lines = [
            "\(displayable(vault.name))  \(vault.id.text)  on \(displayable(record.device))",
            "This vault opens with: \(LockWords.list(record.lockList)).\(fingerprint ?? "")",
        ]
        if let count = inside?.secrets {
            lines.append("\(count) \(count == 1 ? "secret" : "secrets")")
        }
        if try vault.copy().isReadOnly { lines.append("This copy only reads.") }
        lines += record.stores.map { store in
            "\(displayable(store.name))  \(state(of: store, now: call.now))  \(displayable(store.path))"
        }
        if let unshared = inside?.unshared {
            lines.append("this device's branch holds '\(unshared.text)', which is not shared yet")
        }
        for line in lines { call.output.line(line) }
        return .success
    }

    /// What only the key shows.
    private struct Inside {
        let record: DeviceRecord
        let secrets: Int
        let head: ObjectID?
        /// A head of this device's own branch that the shared one has not: work of sgit that was not pushed.
        let unshared: ObjectID?

        init(_ call: Invocation) throws {
            let vault = try OpenVault.toRead(call)
            guard let session = vault.session else { throw VaultChoiceError.noDeviceVault }
            record = session.vault.record
            secrets = try SecretCount.of(session)
            let store = session.store
            head = try store.refs.read(store.mainRef()).head
            guard !session.copy.isReadOnly else {
                unshared = nil
                return
            }
            let own = try store.refs.read(DeviceBranch(of: session.copy, in: store).ref).head
            unshared = own == head ? nil : own
        }
    }

    private static func state(of store: DeviceRecord.StoreRecord, now: Int) -> String {
        guard let seen = store.lastSeen else { return "not saved yet" }
        let time = LocalTime.ago(seen.time, now: now)
        if store.isBehind { return "last saved \(time), and not what changed since" }
        return time.utf8.contains(UInt8(ascii: ":")) ? "saved \(time)" : "last saved \(time)"
    }

    private static func json(
        _ vault: DeviceVault, _ record: DeviceRecord, _ inside: Inside?
    ) throws -> JSONValue {
        .object([
            .init("vault_id", .text(vault.id.text)),
            .init("name", .text(vault.name)),
            .init("device", .text(record.device)),
            .init("read_only", .bool(try vault.copy().isReadOnly)),
            .init(
                "fingerprint",
                record.remembered.map { .string(Hex.encode($0.fingerprint)) } ?? .null),
            .init("head", ObjectJSON.nullable(inside?.head?.bytes)),
            .init("unshared", ObjectJSON.nullable(inside?.unshared?.bytes)),
            .init("secrets", inside.map { .integer($0.secrets) } ?? .null),
            .init("locks", .array(record.lockList.locks.map(LockJSON.object))),
            .init(
                "stores",
                .array(
                    record.stores.map { store in
                        .object([
                            .init("name", .text(store.name)), .init("path", .text(store.path)),
                            .init("behind", .bool(store.isBehind)),
                            .init(
                                "saved",
                                store.lastSeen.map { .text(Timestamp.rfc3339($0.time)) } ?? .null),
                        ])
                    })),
        ])
    }
}
