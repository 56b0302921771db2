import CommandInterface
import TestSupport
import Testing

private let pretty = Flag("p", "pretty", "print the contents")
private let kind = Flag("t", "type", "print the kind")
private let nul = Flag("z", nil, "end records with NUL")
private let recurse = Flag("r", nil, "enter folders")
private let count = Option("n", "max-count", "count", "stop after so many") {
    Int(String(decoding: $0, as: UTF8.self))
}
private let format = Option(nil, "format", "format", "how records look") { $0 }
private let not = Option(nil, "not", "name", "leave out", repeated: true) { $0 }
private let batch = Flag(nil, "batch", "answer names on standard input")
private let object = Operand("object", "an object") { $0.isEmpty ? nil : $0 }
private let number = Operand("number", "a number") { Int(String(decoding: $0, as: UTF8.self)) }

@Suite struct ParserTests {
    private static let forms: [[UsageElement]] = [
        [.exactlyOne(pretty, kind), .any(nul, recurse, count, format, not), .one(object)],
        [.required(batch), .any(nul)],
    ]

    private static func parse(
        _ words: String..., forms: [[UsageElement]] = forms
    ) throws -> ParsedArguments {
        guard case .run(let parsed) = try Parser(forms: forms).parse(words.map { Array($0.utf8) })
        else {
            throw UsageError("not a run")
        }
        return parsed
    }

    private static func request(_ words: String...) throws -> Request {
        try Parser(forms: forms).parse(words.map { Array($0.utf8) })
    }

    private static func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func message(_ words: String...) -> String? {
        do {
            _ = try Parser(forms: forms).parse(words.map { Array($0.utf8) })
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: - Spellings

    @Test func readsFlagsByBothNames() throws {
        #expect(try Self.parse("-p", "x").given.keys.sorted() == ["pretty"])
        #expect(try Self.parse("--pretty", "x").given.keys.sorted() == ["pretty"])
    }

    @Test func readsJoinedShortFlags() throws {
        #expect(try Self.parse("-prz", "x").given.keys.sorted() == ["pretty", "r", "z"])
    }

    @Test(arguments: [
        ["-n5"], ["-n", "5"], ["--max-count=5"], ["--max-count", "5"], ["-zn5"], ["-zrn", "5"],
    ])
    func readsAValueInEverySpelling(words: [String]) throws {
        let request = try Parser(forms: Self.forms).parse(
            (["-p"] + words + ["x"]).map { Array($0.utf8) })
        guard case .run(let parsed) = request else {
            Issue.record("no run")
            return
        }
        #expect(parsed.given["max-count"] == Self.bytes("5"))
        #expect(parsed.operands["object"] == Self.bytes("x"))
    }

    @Test func takesEmptyValuesAndValuesWithEqualSigns() throws {
        #expect(try Self.parse("-p", "--format=", "x").given["format"] == [[]])
        #expect(try Self.parse("-p", "--format=a=b", "x").given["format"] == Self.bytes("a=b"))
        #expect(try Self.parse("-p", "--format", "", "x").given["format"] == [[]])
    }

    @Test func takesAValueThatLooksLikeAnOption() throws {
        #expect(try Self.parse("-p", "--format", "-z", "x").given["format"] == Self.bytes("-z"))
        #expect(try Self.parse("-p", "--format", "--", "x").given["format"] == Self.bytes("--"))
    }

    @Test func readsOptionsAfterOperands() throws {
        #expect(try Self.parse("x", "-p", "-z").given.keys.sorted() == ["pretty", "z"])
    }

    @Test func readsNoOptionsAfterTwoDashes() throws {
        #expect(try Self.parse("-p", "--", "-z").operands["object"] == Self.bytes("-z"))
        #expect(try Self.parse("-p", "--", "--").operands["object"] == Self.bytes("--"))
    }

    @Test func readsOneDashAsAnOperand() throws {
        #expect(try Self.parse("-p", "-").operands["object"] == Self.bytes("-"))
    }

    @Test func keepsOperandsThatAreNoText() throws {
        let request = try Parser(forms: Self.forms).parse([Array("-p".utf8), [0xFF, 0xFE]])
        guard case .run(let parsed) = request else {
            Issue.record("no run")
            return
        }
        #expect(parsed.operands["object"] == [[0xFF, 0xFE]])
    }

    @Test func takesNoAbbreviation() {
        #expect(Self.message("--prett", "x") == "unknown option '--prett'")
        #expect(Self.message("--max", "5", "x") == "unknown option '--max'")
        #expect(Self.message("--p", "x") == "unknown option '--p'")
        #expect(Self.message("-pretty", "x") == "unknown option '-e'")
    }

    // MARK: - Repetition

    @Test func countsTheLastOfARepeatedOption() throws {
        let parsed = try Self.parse("-p", "-n1", "-n2", "--max-count=3", "x")
        let call = Invocation(
            parsed, command: nil, name: "tool", output: Output(descriptor: 1, toolName: "tool"))
        #expect(call[count] == 3)
    }

    @Test func keepsEveryValueInItsOrder() throws {
        let parsed = try Self.parse("-p", "--not", "a", "--not=b", "x")
        #expect(parsed.given["not"] == Self.bytes("a", "b"))
    }

    @Test func takesARepeatedFlag() throws {
        #expect(try Self.parse("-p", "-zz", "-z", "x").given["z"]?.count == 3)
    }

    // MARK: - Values

    @Test func refusesAValueThatIsNone() {
        #expect(Self.message("-p", "-n", "x", "x") == "option '--max-count' takes <count>, not 'x'")
        #expect(
            Self.message("-p", "--max-count=", "x") == "option '--max-count' takes <count>, not ''")
        #expect(Self.message("-p", "-n\u{1}", "x") == "option '--max-count' takes <count>, not '?'")
    }

    @Test func refusesAnOptionWithoutItsValue() {
        #expect(Self.message("-p", "x", "--max-count") == "option '--max-count' needs a value")
        #expect(Self.message("-p", "x", "-n") == "option '-n' needs a value")
    }

    @Test func refusesAValueForAFlag() {
        #expect(Self.message("--pretty=yes", "x") == "option '--pretty' takes no value")
        #expect(Self.message("--pretty=", "x") == "option '--pretty' takes no value")
    }

    @Test func refusesUnknownOptions() {
        #expect(Self.message("-p", "-q", "x") == "unknown option '-q'")
        #expect(Self.message("-p", "--other=1", "x") == "unknown option '--other'")
        #expect(Self.message("-p", "--=1", "x") == "unknown option '--'")
    }

    // MARK: - Forms

    @Test func refusesOptionsThatDoNotGoTogether() {
        #expect(Self.message("-p", "-t", "x") == "'--pretty' and '--type' do not go together")
        #expect(Self.message("-p", "--batch", "x") == "'--pretty' and '--batch' do not go together")
    }

    @Test func asksForWhatIsNeeded() {
        #expect(Self.message("x") == "one of '--pretty', '--type' is needed")
        #expect(Self.message("-p") == "<object> is missing")
        #expect(Self.message() != nil)
    }

    @Test func refusesOperandsTooMany() {
        #expect(Self.message("-p", "x", "y") == "unexpected operand 'y'")
        #expect(Self.message("--batch", "x") == "unexpected operand 'x'")
    }

    @Test func refusesAnOperandThatIsNone() {
        #expect(Self.message("-p", "") == "'' is no <object>")
    }

    @Test func choosesTheFormThatKnowsWhatWasGiven() throws {
        #expect(try Self.parse("--batch", "-z").given.keys.sorted() == ["batch", "z"])
    }

    @Test func givesOperandsByTheirPlace() throws {
        let form: [[UsageElement]] = [[.one(number), .oneOrMore(object)]]
        let parsed = try Self.parse("1", "a", "b", forms: form)
        #expect(parsed.operands["number"] == Self.bytes("1"))
        #expect(parsed.operands["object"] == Self.bytes("a", "b"))
        #expect(throws: UsageError.self) { try Self.parse("1", forms: form) }
        #expect(throws: UsageError.self) { try Self.parse("a", "b", forms: form) }
    }

    @Test func takesAnyNumberOfOperandsOrNone() throws {
        let form: [[UsageElement]] = [[.anyNumber(object)]]
        #expect(try Self.parse(forms: form).operands["object"] == [])
        #expect(try Self.parse("a", "b", forms: form).operands["object"] == Self.bytes("a", "b"))
    }

    @Test func takesAtMostOneOfAChoice() throws {
        let form: [[UsageElement]] = [[.atMostOne(pretty, kind)]]
        #expect(try Self.parse(forms: form).given.isEmpty)
        #expect(try Self.parse("-t", forms: form).given.keys.sorted() == ["type"])
        #expect(throws: UsageError.self) { try Self.parse("-pt", forms: form) }
    }

    @Test func opensGroups() throws {
        let form: [[UsageElement]] = [[.group([.any(nul), .group([.one(object)])])]]
        #expect(try Self.parse("-z", "x", forms: form).operands["object"] == Self.bytes("x"))
    }

    // MARK: - Help

    @Test func answersHelpAndVersionBeforeItLooksAtTheRest() throws {
        for (words, expected) in [
            ("-h", "shortHelp"), ("--help", "manual"), ("--version", "version"),
            ("-ph", "shortHelp"),
        ] {
            #expect("\(try Self.request(words, "--other"))" == expected)
        }
    }

    @Test func takesHelpForAValueWhereAValueIsDue() throws {
        #expect(
            try Self.parse("-p", "--format", "--help", "x").given["format"] == Self.bytes("--help"))
        #expect(try Self.parse("-p", "--", "-h").operands["object"] == Self.bytes("-h"))
        #expect(Self.message("--help=x") == "unknown option '--help'")
    }

    @Test func readsTheValuesOfACall() throws {
        let call = Invocation(
            try Self.parse("-p", "-n", "7", "x"), command: nil, name: "tool",
            output: Output(descriptor: 1, toolName: "tool"))
        #expect(call[pretty] && !call[nul])
        #expect(call[count] == 7 && call[format] == nil)
        #expect(call[object] == Array("x".utf8) && call.all(object) == Self.bytes("x"))
    }

    @Test func answersOrThrowsForRandomArguments() {
        var numbers = SeededNumbers()
        let pieces = [
            "-", "--", "p", "n", "z", "=", "5", "x", "max-count", "format", "batch", "", "h",
            "\u{1}",
        ]
        for _ in 0..<5000 {
            var words: [[UInt8]] = []
            for _ in 0..<numbers.below(5) {
                var word: [UInt8] = numbers.below(10) == 0 ? [0xFF] : []
                for _ in 0..<numbers.below(4) { word += pieces[numbers.below(pieces.count)].utf8 }
                words.append(word)
            }
            guard case .run(let parsed)? = try? Parser(forms: Self.forms).parse(words) else {
                continue
            }
            let isForm = parsed.given["batch"] != nil || parsed.operands["object"]?.count == 1
            #expect(isForm, "seed \(numbers.seed)")
        }
    }

    // MARK: - Another command

    private static let exec = Flag("x", "exec", "run a command", endsOptions: true)
    private static let command = Operand("command", "a command") { $0 }
    private static let argument = Operand("argument", "what it takes") { $0 }
    private static let running: [[UsageElement]] = [
        [.any(pretty), .optional(object)],
        [.any(pretty), .optional(object), .required(exec), .one(command), .anyNumber(argument)],
    ]

    @Test func whatFollowsAFlagThatEndsOptionsIsTheCommands() throws {
        let parsed = try Self.parse(
            "-p", "--exec", "cmd", "-p", "--", "--help", "--exec", forms: Self.running)
        #expect(parsed.given.keys.sorted() == ["exec", "pretty"])
        #expect(parsed.operands["command"] == Self.bytes("cmd"))
        #expect(parsed.operands["argument"] == Self.bytes("-p", "--", "--help", "--exec"))
        #expect(parsed.operands["object"] == [])
    }

    @Test(arguments: ["--exec", "-x", "-px"]) func oneDashPairBehindItIsDropped(
        _ flag: String
    ) throws {
        let parsed = try Self.parse(flag, "--", "--", "-z", forms: Self.running)
        #expect(parsed.operands["command"] == Self.bytes("--"))
        #expect(parsed.operands["argument"] == Self.bytes("-z"))
    }

    @Test func whatStandsBeforeItIsNotTheCommands() throws {
        let parsed = try Self.parse("it", "--exec", "cmd", forms: Self.running)
        #expect(parsed.operands["object"] == Self.bytes("it"))
        #expect(parsed.operands["command"] == Self.bytes("cmd"))
        #expect(throws: UsageError("unexpected operand 'more'")) {
            try Self.parse("it", "more", "--exec", "cmd", forms: Self.running)
        }
        #expect(throws: UsageError("<command> is missing")) {
            try Self.parse("it", "--exec", forms: Self.running)
        }
    }
}
