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
        let vault = try OpenVault.toRead(call)
        guard let session = vault.session else { throw VaultChoiceError.noDeviceVault }
        let count = try SecretCount.of(session)
        let unshared = try vault.copy.flatMap { try unsharedHead($0, vault) }
        if call[records.json] {
            records.print(try json(session, count, unshared), call)
            return .success
        }
        let record = session.vault.record
        var lines = [
            "\(displayable(session.vault.name))  \(session.vault.id.text)  on \(displayable(record.device))",
            "This vault opens with: \(LockWords.list(session.lockList)).   Fingerprint \(LockWords.fingerprint(session.fingerprint))",
            "\(count) \(count == 1 ? "secret" : "secrets")",
        ]
        if session.copy.isReadOnly { lines.append("This copy only reads.") }
        lines += record.stores.map { store in
            "\(displayable(store.name))  \(state(of: store, now: call.now))  \(displayable(store.path))"
        }
        if let unshared {
            lines.append("this device's branch holds '\(unshared.text)', which is not shared yet")
        }
        for line in lines { call.output.line(line) }
        return .success
    }

    private static func state(of store: DeviceRecord.StoreRecord, now: Int) -> String {
        guard let seen = store.lastSeen else { return "not saved yet" }
        let time = LocalTime.ago(seen.time, now: now)
        if store.isBehind { return "last saved \(time), and not what changed since" }
        return time.utf8.contains(UInt8(ascii: ":")) ? "saved \(time)" : "last saved \(time)"
    }

    /// A head of this device's own branch that the shared one has not: work of sgit that was not pushed.
    private static func unsharedHead(_ copy: WorkingCopy, _ vault: OpenVault) throws -> ObjectID? {
        guard !copy.isReadOnly else { return nil }
        let bare = vault.open.bare
        let device = try bare.refs.read(DeviceBranch(of: copy, in: bare).ref).head
        return try device == bare.refs.read(bare.mainRef()).head ? nil : device
    }

    private static func json(
        _ session: DeviceSession, _ count: Int, _ unshared: ObjectID?
    ) throws -> JSONValue {
        let record = session.vault.record
        let head = try session.store.refs.read(session.store.mainRef()).head
        return .object([
            .init("vault_id", .text(session.vault.id.text)),
            .init("name", .text(session.vault.name)),
            .init("device", .text(record.device)),
            .init("read_only", .bool(session.copy.isReadOnly)),
            .init("fingerprint", .string(Hex.encode(session.fingerprint))),
            .init("head", ObjectJSON.nullable(head?.bytes)),
            .init("unshared", ObjectJSON.nullable(unshared?.bytes)),
            .init("secrets", .integer(count)),
            .init("locks", .array(session.lockList.locks.map(LockJSON.object))),
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
