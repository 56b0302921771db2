import CommandInterface
import Encodings
import Locks
import VaultFile

/// How locks are named to a person.
enum LockWords {
    /// `passphrase`, `recovery code`, ….
    static func kind(_ lock: Lock) -> String {
        lock.kind == .recoveryCode
            ? "recovery code" : displayable(String(decoding: lock.kindName, as: UTF8.self))
    }

    /// `the recovery code lock`, with its label where it has one.
    static func name(_ lock: Lock) -> String {
        lock.label.isEmpty
            ? "the \(kind(lock)) lock" : "the \(kind(lock)) lock \(quoted(lock.label))"
    }

    /// `passphrase, recovery code`; what grants only reading is said.
    static func list(_ list: LockList) -> String {
        guard !list.locks.isEmpty else { return "no lock: only its key opens it" }
        var kinds: [String] = []
        for lock in list.locks {
            let kind = kind(lock) + (lock.grant == .read ? " (read only)" : "")
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds.joined(separator: ", ")
    }

    /// `86cf 0cc6 f08d ccf0`: the first 8 bytes.
    static func fingerprint(_ bytes: [UInt8]) -> String {
        let digits = Hex.encode(Array(bytes.prefix(8)))
        return stride(from: 0, to: digits.count, by: 4)
            .map { String(decoding: digits[$0..<min($0 + 4, digits.count)], as: UTF8.self) }
            .joined(separator: " ")
    }
}
