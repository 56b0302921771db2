import Glibc

/// What a tool is: its name, its forms, and how it ends.
package struct Tool: Sendable {
    let name: String
    let summary: String
    let forms: [[UsageElement]]
    /// What exit status 1 means here; nil where it is never given.
    let answersNo: String?
    /// Whether it ends with 5 where a ref moved meanwhile.
    let moves: Bool

    /// The version of the suite.
    package static let version = "0.1.0"

    /// - Parameters:
    ///   - usage: one list a form of the command.
    ///   - answersNo: when the tool ends with 1, for the man page.
    ///   - moves: whether it can end with 5.
    package init(
        _ name: String, _ summary: String, usage: [[UsageElement]], answersNo: String? = nil,
        moves: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.forms = usage
        self.answersNo = answersNo
        self.moves = moves
    }

    /// Runs the tool and ends the process.
    package func main(_ body: (Invocation) throws -> ExitStatus) {
        Tool.occupyStandardDescriptors()
        // A file size limit is then an error of `write`, with words.
        signal(SIGXFSZ, SIG_IGN)
        let output = Output(descriptor: STDOUT_FILENO, toolName: name)
        let arguments = Tool.arguments()
        if arguments.count == 1, let view = GeneratedView(argument: arguments[0]) {
            output.write(view.text(of: self))
            output.flush()
            exit(ExitStatus.success.rawValue)
        }
        let status: ExitStatus
        do {
            let choice = try choose(arguments)
            switch try Parser(forms: choice.forms).parse(choice.rest) {
            case .shortHelp:
                output.write(ShortHelp.text(of: choice.helped))
                status = .success
            case .manual: Tool.showManual(name)
            case .version:
                output.line("\(name) \(Tool.version)")
                status = .success
            case .run(let parsed):
                status = try body(
                    Invocation(parsed, command: choice.command, name: name, output: output))
            }
        } catch {
            output.flush()
            let report = report(on: error)
            Tool.complain("\(name): \(report.message)")
            if let hint = report.hint { Tool.complain("hint: \(hint)") }
            exit(report.status.rawValue)
        }
        output.flush()
        if close(STDOUT_FILENO) != 0 && errno != EBADF {
            Tool.complain(
                "\(name): cannot write standard output: \(String(cString: strerror(errno)))")
            exit(ExitStatus.failure.rawValue)
        }
        exit(status.rawValue)
    }

    private func report(on error: any Error) -> Report {
        if let error = error as? UsageError {
            return Report(error.message, hint: "'\(name) -h' lists what it takes", status: .usage)
        }
        return (error as? any Reportable)?.report ?? Report("\(error)", status: .failure)
    }

    /// One line on standard error; what cannot be said there is lost.
    static func complain(_ text: String) {
        let bytes = Array((displayable(text) + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func arguments() -> [[UInt8]] {
        // The runtime reads them from /proc; where it cannot, there is not even a name.
        guard CommandLine.argc > 0 else {
            complain("cannot read the arguments of the process from /proc")
            exit(ExitStatus.failure.rawValue)
        }
        return (1..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map {
                Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
        }
    }

    /// Where a standard descriptor is closed, the next file opened would take its number and its data.
    ///
    /// The stand-ins fail on use: a closed standard output is an error when something is written.
    private static func occupyStandardDescriptors() {
        for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)] as [(Int32, Int32)]
        where fcntl(descriptor, F_GETFD) < 0 {
            guard open("/dev/null", mode) == descriptor else {
                exit(ExitStatus.failure.rawValue)
            }
        }
    }

    /// The folder that the program file is in.
    package static func ownFolder() -> String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        let bytes = UnsafeRawBufferPointer(start: path, count: strlen(path))
        return bytes.lastIndex(of: UInt8(ascii: "/"))
            .map { String(decoding: bytes[..<$0], as: UTF8.self) }
    }

    private static func showManual(_ name: String) -> Never {
        // The page beside the tool, wherever it is installed; else the one that man finds.
        let own = Tool.ownFolder().map { "\($0)/../share/man/man1/\(name).1" }
        let page = own.flatMap { access($0, R_OK) == 0 ? $0 : nil } ?? name
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("man"), strdup(page), nil]
        execvp("man", words)
        complain("\(name): cannot run 'man': \(String(cString: strerror(errno)))")
        complain("hint: '\(name) -h' is a short help")
        exit(ExitStatus.failure.rawValue)
    }
}
