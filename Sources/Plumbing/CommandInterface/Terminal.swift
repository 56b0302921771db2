import Glibc
package import SecretMemory

/// Why a question has no answer.
package enum TerminalError: Error, Equatable {
    /// Nobody answers: the end of input, or the terminal is gone.
    case closed
    /// More than `Terminal.longestAnswer` bytes.
    case tooLong
    case system(code: Int32)
}

/// The terminal that a process was started from: where a person is asked and told what is no data.
///
/// The cursor stays behind an answer, so that what follows can stand on the same line; `endLine` ends it.
package final class Terminal {
    /// What is seen of an answer.
    package enum Echo {
        case shown
        /// Nothing while it is typed, then eight dots, whatever its length.
        case hidden
    }

    /// In bytes.
    package static let longestAnswer = 4096

    /// Whether something stands on the line that the cursor is on, as far as it was written or typed here.
    package private(set) var isInLine = false
    private let descriptor: Int32
    private let closes: Bool

    /// The controlling terminal; nil where there is none.
    package static func controlling() -> Terminal? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return descriptor < 0 ? nil : Terminal(descriptor, closes: true)
    }

    /// A terminal that is open already and stays so.
    package convenience init(descriptor: Int32) {
        self.init(descriptor, closes: false)
    }

    private init(_ descriptor: Int32, closes: Bool) {
        self.descriptor = descriptor
        self.closes = closes
    }

    deinit {
        endLine()
        if closes { close(descriptor) }
    }

    // MARK: - Telling

    /// Writes text as it is; what a terminal that is gone does not take is lost.
    package func write(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a secret that is meant to be seen.
    package func write(_ secret: SecretBytes) {
        secret.withBytes { write($0) }
    }

    /// Ends the line where something stands on it.
    package func endLine() {
        if isInLine { write("\n") }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        guard let last = bytes.last else { return }
        isInLine = last != 0x0A
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let written = Glibc.write(descriptor, start, rest.count)
            if written < 0 {
                guard errno == EINTR || errno == EAGAIN else { return }
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            }
            rest = rest.dropFirst(max(written, 0))
        }
    }

    // MARK: - Asking

    /// Asks and waits for one line, which is the answer without its end.
    ///
    /// Signals that end or stop the process find the terminal as it was before; a process that goes on asks again.
    /// - Parameter prompt: what could steer a terminal is shown as `?`.
    package func ask(_ prompt: String, _ echo: Echo) throws(TerminalError) -> SecretBytes {
        if isInLine { write("   ") }
        let prompt = displayable(prompt)
        return try SecretBytes(count: TerminalLine.room) { buffer throws(TerminalError) in
            var line = TerminalLine(buffer, isShown: echo == .shown)
            while let signal = try answer(prompt, &line) {
                endLine()
                if signal != SIGCONT { raise(signal) }
                if echo == .hidden { line.removeAll() }
            }
            guard !line.isTooLong else { throw .tooLong }
            if echo == .hidden, line.count > 0 { write("········") }
            return line.count
        }
    }

    /// Asks until there is an answer, nil, or a signal that the process has still to receive.
    private func answer(
        _ prompt: String, _ line: inout TerminalLine
    ) throws(TerminalError) -> Int32? {
        // In the background the process stops here, before it takes another's settings for the usual ones.
        tcdrain(descriptor)
        var usual = termios()
        guard tcgetattr(descriptor, &usual) == 0 else { throw Terminal.failure(errno) }
        var asking = usual
        // Lines and echo are made here: the terminal itself would show the end of the line.
        asking.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
        withUnsafeMutableBytes(of: &asking.c_cc) {
            $0[Int(VMIN)] = 1
            $0[Int(VTIME)] = 0
        }

        let signals = try HeldSignals()
        defer { signals.release() }
        var isAnswered = false
        // No part of a hidden answer is left for the program that reads next.
        let discarding = line.isShown ? TCSANOW : TCSAFLUSH
        guard tcsetattr(descriptor, discarding, &asking) == 0 else {
            throw Terminal.failure(errno)
        }
        defer { tcsetattr(descriptor, isAnswered ? TCSANOW : discarding, &usual) }

        write(prompt)
        line.redraw(write)
        signals.holdContinuation()
        while true {
            var waiting = [descriptor, signals.descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&waiting, nfds_t(waiting.count), -1) < 0 {
                guard errno == EINTR else { throw .system(code: errno) }
                continue
            }
            if let signal = signals.next() { return signal }
            guard waiting[0].revents != 0 else { continue }
            let got = read(descriptor, line.place, 1)
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got == 1 else { throw Terminal.failure(got == 0 ? EIO : errno) }
            switch line.take(write) {
            case .goesOn: break
            case .isEnded:
                isAnswered = true
                return nil
            case .isRefused: throw .closed
            }
        }
    }

    private static func failure(_ code: Int32) -> TerminalError {
        code == EIO ? .closed : .system(code: code)
    }
}
