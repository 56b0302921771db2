import Glibc
package import SecretMemory

/// What a program printed that was asked for a secret, and how it ended.
package struct ChildAnswer {
    /// At most as many bytes as were allowed.
    package let output: SecretBytes
    package let end: ChildProcess.End
}

extension ChildProcess {
    /// Reads all that it prints and waits until it has ended; nil where it took longer, and then it is killed.
    ///
    /// - Parameters:
    ///   - limit: bytes; one that prints more is killed too.
    ///   - seconds: for both together.
    package func answer(limit: Int, seconds: Int) -> ChildAnswer? {
        let deadline = ChildProcess.milliseconds() + seconds * 1000
        var isLate = false
        let printed = SecretBytes(count: limit) { target in
            var count = 0
            while count < limit, let start = target.baseAddress {
                guard isReadable(before: deadline) else {
                    isLate = true
                    break
                }
                let got = read(output, start + count, limit - count)
                if got == 0 || got < 0 && errno != EINTR { break }
                count += max(got, 0)
            }
            return count
        }
        while !isLate {
            if printed.count == limit { kill() }
            if let end = endIfAny() { return ChildAnswer(output: printed, end: end) }
            isLate = ChildProcess.milliseconds() >= deadline
            usleep(2000)
        }
        kill()
        wait()
        return nil
    }

    private func isReadable(before deadline: Int) -> Bool {
        while true {
            let rest = deadline - ChildProcess.milliseconds()
            guard rest > 0 else { return false }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32(clamping: rest))
            if ready > 0 { return true }
            guard ready < 0, errno == EINTR else { return false }
        }
    }

    /// A clock that nobody sets.
    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
