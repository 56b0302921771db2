import CLinux
import Glibc

/// The signals that end or stop a process, held back while its terminal has other settings than usual.
///
/// Those that are ignored or held back already stay so.
struct HeldSignals {
    /// Readable when one has come.
    let descriptor: Int32
    private let before: sigset_t

    /// Holds them back from now on.
    init() throws(TerminalError) {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        var held = sigset_t()
        sigemptyset(&held)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
        where sigismember(&mask, signal) == 0 && !HeldSignals.isIgnored(signal) {
            sigaddset(&held, signal)
        }
        var told = held
        if sigismember(&mask, SIGCONT) == 0 { sigaddset(&told, SIGCONT) }
        descriptor = clinux_signal_descriptor(&told)
        guard descriptor >= 0 else { throw .system(code: errno) }
        before = mask
        pthread_sigmask(SIG_BLOCK, &held, nil)
    }

    /// Tells from now on that the process was stopped and continued, too: others may have used the terminal meanwhile.
    func holdContinuation() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGCONT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// One that has come, and is not delivered any more.
    func next() -> Int32? {
        // struct signalfd_siginfo, which begins with the number.
        var information = [UInt32](repeating: 0, count: 32)
        let size = information.count * MemoryLayout<UInt32>.size
        return read(descriptor, &information, size) == size ? Int32(information[0]) : nil
    }

    /// Lets them through: one that has come and was not taken is delivered now.
    func release() {
        close(descriptor)
        var mask = before
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return true }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
