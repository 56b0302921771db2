import Glibc

/// One call of a tool: what was asked, and the streams.
package struct Invocation {
    private let parsed: ParsedArguments
    /// The word that the call began with; nil where its form has none.
    package let command: String?
    /// Standard output: data only.
    package let output: Output
    private let name: String

    package init(_ parsed: ParsedArguments, command: String?, name: String, output: Output) {
        self.parsed = parsed
        self.command = command
        self.name = name
        self.output = output
    }

    package subscript(flag: Flag) -> Bool { parsed.given[flag.declaration.key] != nil }

    /// The last value given; nil where the option was not.
    package subscript<Value>(option: Option<Value>) -> Value? {
        parsed.given[option.declaration.key]?.last.flatMap(option.parse)
    }

    /// The value of an operand that its form declares with `.one`.
    package subscript<Value>(operand: Operand<Value>) -> Value {
        all(operand)[0]
    }

    /// The value of an operand that its form declares with `.optional`; nil where it is not given.
    package func first<Value>(_ operand: Operand<Value>) -> Value? { all(operand).first }

    /// Every value of a repeated option, in order.
    package func all<Value>(_ option: Option<Value>) -> [Value] {
        (parsed.given[option.declaration.key] ?? []).compactMap(option.parse)
    }

    /// The values of an operand that may stand several times.
    package func all<Value>(_ operand: Operand<Value>) -> [Value] {
        (parsed.operands[operand.operandDeclaration.name] ?? []).compactMap(operand.parse)
    }

    /// The value of a variable of the environment; nil where it is not set or empty.
    package func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The folder the tool was started in, as an absolute path; nil where it is gone.
    package var currentFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Whether standard output is a terminal, which no binary data belongs on.
    package var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether a person types standard input.
    package var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether a person reads standard error: a script is told what went wrong and no more.
    package var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// What the system calls this machine, in the characters that a branch's name may have.
    package var deviceName: String {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let characters = name.prefix { $0 != 0 }.prefix(64).map { character -> UInt8 in
            let byte = UInt8(bitPattern: character)
            let isWord =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            return isWord ? byte : UInt8(ascii: "-")
        }
        return characters.isEmpty ? "device" : String(decoding: characters, as: UTF8.self)
    }

    /// The clock: milliseconds since 1970.
    package var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A clock outside the years 1970 to 5138 has no time that a vault can hold.
        let seconds = min(max(time.tv_sec, 0), 99_999_999_999)
        return seconds * 1000 + time.tv_nsec / 1_000_000
    }

    /// Says a line to the person as it is, without the name of the tool: what the porcelain has to tell.
    package func say(_ text: String) {
        output.flush()
        Tool.complain(text)
    }

    /// Says something to the person; standard output is sent first, so that the two keep their order.
    package func warn(_ report: Report) {
        output.flush()
        Tool.complain("\(name): \(report.message)")
        if let hint = report.hint { Tool.complain("hint: \(hint)") }
    }
}
