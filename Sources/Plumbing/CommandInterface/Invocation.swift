import Glibc

/// One call of a tool: what was asked, and the streams.
package struct Invocation {
    private let parsed: ParsedArguments
    /// Standard output: data only.
    package let output: Output
    private let name: String

    package init(_ parsed: ParsedArguments, name: String, output: Output) {
        self.parsed = parsed
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

    /// The clock: milliseconds since 1970.
    package var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Says something to the person; standard output is sent first, so that the two keep their order.
    package func warn(_ report: Report) {
        output.flush()
        Tool.complain("\(name): \(report.message)")
        if let hint = report.hint { Tool.complain("hint: \(hint)") }
    }
}
