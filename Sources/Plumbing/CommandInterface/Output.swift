import Glibc
package import SecretMemory

/// Standard output, with a buffer; an error of the system ends the process.
package final class Output {
    private let descriptor: Int32
    /// The tool's name, for its own complaint.
    private let toolName: String
    private var buffer: [UInt8] = []
    private let capacity = 65_536

    package init(descriptor: Int32, toolName: String) {
        self.descriptor = descriptor
        self.toolName = toolName
        buffer.reserveCapacity(capacity)
    }

    package func write(_ bytes: [UInt8]) { write(bytes[...]) }

    package func write(_ bytes: ArraySlice<UInt8>) {
        if buffer.count + bytes.count > capacity { flush() }
        if bytes.count >= capacity {
            bytes.withUnsafeBytes { send($0) }
        } else {
            buffer += bytes
        }
    }

    /// Hands a large part to the system as it lies in memory.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        flush()
        send(bytes)
    }

    package func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            if buffer.count + bytes.count > capacity { flush() }
            buffer.append(contentsOf: bytes)
        }
    }

    package func write(_ byte: UInt8) {
        if buffer.count == capacity { flush() }
        buffer.append(byte)
    }

    /// A secret, byte by byte from its own memory.
    package func write(_ secret: SecretBytes) {
        secret.withBytes { bytes in
            for byte in bytes { write(byte) }
        }
    }

    /// A text and a line feed.
    package func line(_ text: String) {
        write(text)
        write(0x0A)
    }

    /// Hands everything to the system.
    package func flush() {
        guard !buffer.isEmpty else { return }
        buffer.withUnsafeBytes { send($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func send(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let sent = Glibc.write(descriptor, part.baseAddress, min(part.count, 1 << 30))
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EPIPE {
                // Whoever started us ignores SIGPIPE. The reader has seen enough: end as the signal would.
                signal(SIGPIPE, SIG_DFL)
                raise(SIGPIPE)
                _exit(ExitStatus.failure.rawValue)
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                Tool.complain("\(toolName): cannot write standard output: \(reason)")
                _exit(ExitStatus.failure.rawValue)
            }
        }
    }
}
