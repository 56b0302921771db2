import Glibc

/// Standard input as records, read in large pieces.
package final class Input {
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private let terminator: UInt8
    /// Runs before a read that may wait for more input.
    private let beforeWaiting: () throws -> Void

    /// The longest record, in bytes.
    package static let maximumRecord = 65_536

    /// - Parameter terminator: what ends a record: LF, or NUL with `-z`.
    package init(terminator: UInt8, beforeWaiting: @escaping () throws -> Void = {}) {
        self.terminator = terminator
        self.beforeWaiting = beforeWaiting
    }

    /// The next record without its end; nil when there is none.
    ///
    /// The last one may lack its end.
    /// - Throws: `InputError` for a record past the bound, or when the system refuses to read; what `beforeWaiting` throws.
    package func next() throws -> [UInt8]? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: terminator) {
                let record = Array(buffer[position..<end])
                guard record.count <= Input.maximumRecord else { throw InputError.recordTooLong }
                position = end + 1
                return record
            }
            searched = buffer.count
            guard buffer.count - position <= Input.maximumRecord else {
                throw InputError.recordTooLong
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return Array(buffer[position...])
            }
            // What was searched is kept; what was handed out makes room.
            buffer.removeFirst(position)
            searched -= position
            position = 0
            try fill()
        }
    }

    private func fill() throws {
        try beforeWaiting()
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, count in
            repeat {
                let got = read(STDIN_FILENO, bytes.baseAddress, bytes.count)
                count = max(got, 0)
                failure = got < 0 ? errno : 0
                if failure == EAGAIN { waitUntilReadable(STDIN_FILENO) }
            } while failure == EINTR || failure == EAGAIN
        }
        guard failure != EBADF else { throw InputError.notReadable }
        guard failure == 0 else { throw InputError.system(code: failure) }
        isAtEnd = piece.isEmpty
        buffer += piece
    }
}

/// Why standard input could not be read.
package enum InputError: Error {
    case recordTooLong
    /// A line is no path: not UTF-8, empty, or badly quoted.
    case badPath([UInt8])
    /// It is closed, or it was spent on the key.
    case notReadable
    case system(code: Int32)
}

/// Waits on a descriptor that somebody made non-blocking.
func waitUntilReadable(_ descriptor: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&waiting, 1, -1)
}
