import Glibc

/// Bytes that must not leak: locked in memory, left out of core files, wiped when the last owner lets go.
///
/// Key material and passphrases stay in here from the descriptor they arrive on to the primitive that uses
/// them. It prints as `<secret>`, has no `==` and hands out its bytes only inside `withBytes`.
package final class SecretBytes: CustomStringConvertible, CustomReflectable {
    /// Length in bytes.
    package let count: Int
    private let storage: UnsafeMutableRawBufferPointer

    /// Makes `count` bytes, all zero, and lets `fill` write them.
    package init<Failure: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let pageSize = 4096
        let room = max(pageSize, (count + pageSize - 1) / pageSize * pageSize)
        let address = mmap(nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let address, address != MAP_FAILED else {
            // Nothing can go on without it, and it is no fault of the program: no trap.
            let complaint: StaticString = "no memory for a secret\n"
            _ = write(STDERR_FILENO, complaint.utf8Start, complaint.utf8CodeUnitCount)
            _exit(128)
        }
        // Both are best effort: a low RLIMIT_MEMLOCK must not stop a person from reading their vault.
        mlock(address, room)
        madvise(address, room, MADV_DONTDUMP)
        madvise(address, room, MADV_WIPEONFORK)
        let bytes = UnsafeMutableRawBufferPointer(start: address, count: room)
        do throws(Failure) {
            let filled = try fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            self.count = min(filled, count)
            storage = bytes
        } catch {
            explicit_bzero(address, room)
            munmap(address, room)
            throw error
        }
    }

    deinit {
        guard let address = storage.baseAddress else { return }
        explicit_bzero(address, storage.count)
        munlock(address, storage.count)
        munmap(address, storage.count)
    }

    /// Lends the bytes for the length of one call.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<count]))
    }

    /// A secret of its own that holds the bytes of `range`, an offset range within `0 ..< count`.
    package func copy(_ range: Range<Int>) -> SecretBytes {
        SecretBytes(count: range.count) { target in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[range]))
            return range.count
        }
    }

    package var description: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
