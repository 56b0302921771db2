package import CommandInterface
import FileSystem
package import Locks
import Plumbing

/// A lock that a tool is given as a line, in a file or on standard input.
package final class LockOption: Sendable {
    private let lock = Option(
        nil, "lock", "file", "read the lock from this file; - for standard input",
        completion: .files, { $0.isEmpty ? nil : $0 })

    package init() {}

    package var element: UsageElement { .any(lock) }

    /// Whether a file was named.
    package func namesFile(_ call: Invocation) -> Bool {
        call[lock].map { !$0.elementsEqual("-".utf8) } ?? false
    }

    /// Whether the option was given.
    package func isGiven(_ call: Invocation) -> Bool { call[lock] != nil }

    /// The lock in the file that was named, else on standard input.
    ///
    /// - Throws: `LockError`, `FileError`, `InputError`.
    package func read(_ call: Invocation) throws -> GivenLock {
        let line: [UInt8]
        do {
            line =
                if namesFile(call), let path = call[lock] {
                    try FileContents.read(path, limit: Lock.longestLine)
                } else {
                    try StandardInput.contents(limit: Lock.longestLine)
                }
        } catch FileError.tooLarge {
            throw LockError.noLock
        }
        let (lock, vaultID) = try Lock.read(line: line)
        return GivenLock(lock: lock, vaultID: vaultID)
    }
}

/// A lock with the vault that it says it belongs to.
package struct GivenLock {
    package let lock: Lock
    package let vaultID: [UInt8]
}

/// A lock is of another kind than the one that a tool is for.
package struct WrongLockKind: Error {
    package let found: [UInt8]

    package init(found: [UInt8]) {
        self.found = found
    }
}
