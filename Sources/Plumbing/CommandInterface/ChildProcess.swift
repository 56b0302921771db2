import CLinux
// Without it the environment of a process is no variable that may be read.
@preconcurrency import Glibc

/// Why a program did not start.
package enum ChildProcessError: Error, Equatable {
    case notStarted(program: [UInt8], code: Int32)
}

/// Which program is meant.
package enum Program {
    /// A path, used as it is.
    case file([UInt8])
    /// A name that is looked for in `$PATH`; with a slash in it, a path.
    case named([UInt8])

    var bytes: [UInt8] {
        switch self {
        case .file(let bytes), .named(let bytes): bytes
        }
    }
}

/// A program that runs beside this one: no shell, no descriptor of ours but the standard ones, every signal as at the
/// start of a process.
///
/// Its standard error is ours. Whoever lets go of it before `wait` has killed it.
package final class ChildProcess {
    /// What it reads as standard input.
    package enum Input {
        case nothing
        case descriptor(Int32)
        /// At most `ChildProcess.longestInput` of them: they wait in the pipe.
        case bytes([UInt8])
    }

    /// How a program ended.
    package enum End: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// What every pipe has room for.
    package static let longestInput = 4096

    /// The end of the pipe from which its standard output is read; closed when this is let go.
    package let output: Int32
    private let identifier: pid_t
    private var end: End?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: without the name that it is called by, which is the program's.
    ///   - unsetting: variables of our environment that it is not to see.
    package init(
        _ program: Program, _ arguments: [[UInt8]] = [], input: Input = .nothing,
        unsetting: [String] = []
    ) throws(ChildProcessError) {
        let failure = { (code: Int32) in
            ChildProcessError.notStarted(program: program.bytes, code: code)
        }
        guard !program.bytes.isEmpty, !program.bytes.contains(0) else { throw failure(ENOENT) }
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        let source: Int32
        switch input {
        case .descriptor(let descriptor): source = descriptor
        case .nothing:
            source = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard source >= 0 else { throw failure(errno) }
            opened.append(source)
        case .bytes(let bytes):
            precondition(bytes.count <= ChildProcess.longestInput)
            guard let pipe = ChildProcess.makePipe() else { throw failure(errno) }
            source = pipe.reading
            opened.append(source)
            let written = write(pipe.writing, bytes, bytes.count)
            close(pipe.writing)
            guard written == bytes.count else { throw failure(EIO) }
        }
        guard let target = ChildProcess.makePipe() else { throw failure(errno) }
        opened.append(target.writing)

        for name in unsetting { unsetenv(name) }
        var started: pid_t = 0
        let code = ChildProcess.spawn(
            program, arguments, input: source, output: target.writing, &started)
        guard code == 0 else {
            close(target.reading)
            throw failure(code)
        }
        output = target.reading
        identifier = started
    }

    deinit {
        if end == nil {
            kill()
            wait()
        }
        close(output)
    }

    /// Ends it at once; nothing where it has ended.
    package func kill() {
        if end == nil { Glibc.kill(identifier, SIGKILL) }
    }

    /// Waits until it has ended; the answer stays the same afterwards.
    @discardableResult
    package func wait() -> End { awaitEnd(0) ?? .exited(ExitStatus.failure.rawValue) }

    /// How it ended; nil while it runs.
    func endIfAny() -> End? { awaitEnd(WNOHANG) }

    private func awaitEnd(_ options: Int32) -> End? {
        if let end { return end }
        var status: Int32 = 0
        var answer: pid_t
        repeat { answer = waitpid(identifier, &status, options) } while answer < 0 && errno == EINTR
        if answer == 0 { return nil }
        // Where somebody made the system forget its children, nobody knows how it ended.
        let signal = status & 0x7F
        end =
            answer < 0
            ? .exited(ExitStatus.failure.rawValue)
            : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
        return end
    }

    // MARK: -

    /// A pipe that no other program inherits.
    private static func makePipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The error number; 0 where the program runs.
    private static func spawn(
        _ program: Program, _ arguments: [[UInt8]], input: Int32, output: Int32,
        _ started: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return ENOMEM }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return ENOMEM }
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        clinux_close_from(&actions, STDERR_FILENO + 1)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

        return withWords([program.bytes] + arguments) { name, words in
            switch program {
            case .file: posix_spawn(&started, name, &actions, &attributes, words, Glibc.environ)
            case .named: posix_spawnp(&started, name, &actions, &attributes, words, Glibc.environ)
            }
        }
    }
}

/// This process as another program.
package enum Execution {
    /// Turns this process into the program that the first word names, looked for in `$PATH`; no shell reads the words.
    ///
    /// - Parameters:
    ///   - command: its name and its arguments, byte for byte.
    ///   - setting: variables of its environment.
    ///   - unsetting: variables that it is not to see.
    package static func replace(
        by command: [[UInt8]], setting: [String: String], unsetting: [String]
    ) throws(ChildProcessError) -> Never {
        for (name, value) in setting {
            // A name may stand twice in an environment.
            unsetenv(name)
            setenv(name, value, 1)
        }
        for name in unsetting { unsetenv(name) }
        // As it was before `Tool.main`: a program inherits what is ignored.
        signal(SIGXFSZ, SIG_DFL)
        withWords(command) { name, words in _ = execvp(name, words) }
        let code = errno
        signal(SIGXFSZ, SIG_IGN)
        throw .notStarted(program: command.first ?? [], code: code)
    }
}

/// Lends words in the form that the system takes: each ends with NUL, and nil stands at the end.
private func withWords<Result>(
    _ words: [[UInt8]],
    _ body: (_ first: UnsafeMutablePointer<CChar>, [UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = words.map { word in strdup((word + [0]).map { CChar(bitPattern: $0) }) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    guard let first = pointers[0] else { fatalError("a program has a name") }
    return body(first, pointers)
}
