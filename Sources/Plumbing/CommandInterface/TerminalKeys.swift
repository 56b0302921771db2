import CLinux
import Glibc

/// The keys of a terminal, one byte at a time, without the kernel's echo and line editing.
///
/// Signals that would end or stop the process are taken between two keys: the terminal is put back first, then the
/// signal does what it would have done.
final class TerminalKeys {
    private let terminal: Int32
    private let signals: Int32
    private var settings = termios()
    private var mask = sigset_t()
    private var isEnded = false

    enum Key {
        case byte(UInt8)
        /// The process was stopped and goes on: the screen may have changed.
        case askAgain
    }

    private static let taken = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    init(_ terminal: Int32) throws(TerminalError) {
        self.terminal = terminal
        // Before anything is blocked: a process in the background is stopped here, as it should be.
        guard tcgetattr(terminal, &settings) == 0 else { throw .system(code: errno) }
        let bits = TerminalKeys.taken.reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
        signals = clinux_signal_descriptor(bits)
        guard signals >= 0 else { throw .system(code: errno) }
        var blocked = TerminalKeys.set(TerminalKeys.taken)
        pthread_sigmask(SIG_BLOCK, &blocked, &mask)
        // What was typed before the question is no answer to it.
        guard setRaw() else {
            let code = errno
            end()
            throw .system(code: code)
        }
    }

    /// Puts everything back.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        tcsetattr(terminal, TCSADRAIN, &settings)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        close(signals)
    }

    func next() throws(TerminalError) -> Key {
        while true {
            var waiting = [
                pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                throw .system(code: errno)
            }
            if waiting[1].revents != 0, let signal = takenSignal() {
                try give(signal)
                return .askAgain
            }
            guard waiting[0].revents != 0 else { continue }
            var byte: UInt8 = 0
            let got = read(terminal, &byte, 1)
            if got == 1 { return .byte(byte) }
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            throw .closed
        }
    }

    // MARK: -

    private func setRaw() -> Bool {
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON)
        withUnsafeMutableBytes(of: &raw.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        return tcsetattr(terminal, TCSAFLUSH, &raw) == 0
    }

    /// The number of a signal that waits; nil where there is none.
    private func takenSignal() -> Int32? {
        // The kernel writes 128 bytes a signal; the number stands first.
        var record = [UInt32](repeating: 0, count: 32)
        guard read(signals, &record, 128) == 128 else { return nil }
        return Int32(record[0])
    }

    /// Lets a signal do what it would have done, with the terminal as it was; returns where the process goes on.
    private func give(_ signal: Int32) throws(TerminalError) {
        tcsetattr(terminal, TCSADRAIN, &settings)
        let newLine: StaticString = "\n"
        _ = write(terminal, newLine.utf8Start, 1)
        var one = TerminalKeys.set([signal])
        kill(getpid(), signal)
        pthread_sigmask(SIG_UNBLOCK, &one, nil)
        pthread_sigmask(SIG_BLOCK, &one, nil)
        guard setRaw() else { throw .closed }
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
