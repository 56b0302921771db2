import CommandInterface
import Encodings
import Locks
import VaultFile

/// Which lock of a vault a command means.
enum LockChoice {
    static let lock = Operand(
        "lock", "a lock: its id, its label, or its kind where one has it", { $0.isEmpty ? nil : $0 }
    )

    /// - Throws: `LockChoiceError`.
    static func find(_ name: [UInt8], in list: LockList) throws -> Lock {
        if let lock = list.lock(name) { return lock }
        let named = list.locks.filter { $0.label == name || $0.kindName == name }
        guard let lock = named.first else { throw LockChoiceError.none(name) }
        guard named.count == 1 else {
            throw LockChoiceError.several(
                name, named.map { String(decoding: $0.id, as: UTF8.self) })
        }
        return lock
    }
}

enum LockChoiceError: Error {
    case none([UInt8])
    case several([UInt8], [String])
    case wrongKind(id: [UInt8], kind: [UInt8])
    /// Only a recovery code is printed.
    case notPrinted(id: [UInt8], kind: [UInt8])
    /// Nobody could open the vault any more.
    case last(id: [UInt8])
}

/// A lock for a program: nothing of it is secret, and what it seals is left out.
enum LockJSON {
    static func object(_ lock: Lock) -> JSONValue {
        .object([
            .init("id", .string(lock.id)), .init("kind", .string(lock.kindName)),
            .init("grants", .text(lock.grant?.rawValue ?? "")),
            .init("created_at", .string(lock.createdAt)),
            .init("rehearsed_at", lock.rehearsedAt.map { .string($0) } ?? .null),
            .init("label", .string(lock.label)),
        ])
    }
}
