import CLinux
import Glibc
package import SecretMemory

/// Why a person at the terminal gave no answer.
package enum TerminalError: Error, Equatable {
    /// It was hung up, or its input was ended.
    case closed
    /// More than `Terminal.longestAnswer` bytes were typed.
    case tooLong
    case system(code: Int32)
}

/// The terminal that the process belongs to: where a person is asked, and where stands what no pipe may carry.
///
/// After an answer the cursor stays behind it, so that the words that follow stand on the same line.
package final class Terminal {
    package enum Echo {
        /// What is typed is seen.
        case shown
        /// Nothing is seen, and once it is typed always the same eight dots.
        case hidden
    }

    /// In bytes.
    package static let longestAnswer = 4096
    private static let dots = "········"

    private let descriptor: Int32
    /// Whether the cursor stands behind something rather than at the beginning of a line.
    package private(set) var isInLine = false

    /// The terminal of the process; nil where it has none.
    package static func controlling() -> Terminal? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return descriptor < 0 ? nil : Terminal(descriptor: descriptor)
    }

    /// - Parameter descriptor: of a terminal; it is closed with the value.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        endLine()
        close(descriptor)
    }

    /// Asks for one line, and returns it without its end.
    ///
    /// A signal that ends or stops the process finds the terminal as it was before the question.
    package func ask(_ prompt: String, _ echo: Echo) throws(TerminalError) -> SecretBytes {
        let before = isInLine ? "   " : ""
        let question = before + displayable(prompt)
        let room = TypedLine(limit: Terminal.longestAnswer)
        try withKeys { keys throws(TerminalError) in
            write(question)
            while true {
                switch try keys.next() {
                case .byte(let byte):
                    switch room.take(byte) {
                    case .goesOn(let erased, let shown): if echo == .shown { show(erased, shown) }
                    case .ended: return
                    case .closed: throw .closed
                    }
                case .askAgain: write("\n" + question)
                }
            }
        }
        isInLine = true
        guard !room.isTooLong else { throw .tooLong }
        if echo == .hidden, room.count > 0 { write(Terminal.dots) }
        return room.answer
    }

    /// Writes text as it is.
    package func write(_ text: String) {
        var text = text
        text.withUTF8 { send(UnsafeRawBufferPointer($0)) }
        if let last = text.utf8.last { isInLine = last != 0x0A }
    }

    /// Writes the bytes of a secret: what the person is to copy from the screen.
    package func write(_ secret: SecretBytes) {
        secret.withBytes { send($0) }
        isInLine = true
    }

    /// Goes to the beginning of a line.
    package func endLine() {
        if isInLine { write("\n") }
    }

    // MARK: -

    /// What cannot be written to the terminal is lost with it.
    private func send(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let sent = Glibc.write(descriptor, part.baseAddress, part.count)
            guard sent >= 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(sent, 0))
        }
    }

    /// Takes characters off the screen, then shows a typed byte.
    private func show(_ erased: Int, _ byte: UInt8?) {
        for _ in 0..<erased { write("\u{8} \u{8}") }
        guard let byte else { return }
        withUnsafeBytes(of: byte) { send($0) }
    }

    private func withKeys(
        _ body: (TerminalKeys) throws(TerminalError) -> Void
    ) throws(TerminalError) {
        let keys = try TerminalKeys(descriptor)
        defer { keys.end() }
        try body(keys)
    }
}
