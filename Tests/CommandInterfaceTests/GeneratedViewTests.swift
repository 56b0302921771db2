import CommandInterface
import TestSupport
import Testing

private let pretty = Flag("p", "pretty", "print the contents")
private let kind = Flag("t", "type", "print the kind")
private let nul = Flag("z", nil, "end records with NUL")
private let count = Option("n", "max-count", "count", "stop after so many") {
    Int(String(decoding: $0, as: UTF8.self))
}
private let not = Option(nil, "not", "name", "leave out", repeated: true) { $0 }
private let batch = Flag(nil, "batch", "answer names on standard input")
private let object = Operand("object", "an object") { $0.isEmpty ? nil : $0 }
@Suite struct GeneratedViewTests {
    private static let tool = Tool(
        "sgit-try", "try what a tool is",
        usage: [
            [
                .exactlyOne(pretty, kind), .any(nul, count, not),
                .any(
                    Option(nil, "store", "dir", "it's a [store]: \\o/", completion: .folders) { $0 }
                ), .one(object),
            ],
            [.required(batch)],
        ], answersNo: "there is none")

    /// Every name of every option of the tool.
    private static let names = [
        "-p", "--pretty", "-t", "--type", "-z", "-n", "--max-count", "--not", "--store", "--batch",
    ]

    @Test func helpShowsFormsAndEveryOption() {
        let text = ShortHelp.text(of: Self.tool)
        #expect(
            text.hasPrefix(
                "usage: sgit-try (-p | -t) [-z] [-n <count>] [--not <name>]... [--store <dir>] <object>\n"
            ))
        #expect(text.contains("\n   or: sgit-try --batch\n"))
        #expect(text.contains("exit status 1: there is none"))
        for name in Self.names { #expect(text.contains(name), "\(name)") }
    }

    @Test func keepsHelpWithinAHundredColumns() {
        for line in ShortHelp.text(of: Self.tool).split(separator: "\n") {
            #expect(line.utf8.count <= 100)
        }
    }

    @Test func manualPageHasItsGeneratedParts() {
        let text = ManualPage.text(of: Self.tool)
        for part in [
            ".Sh NAME\n.Nm sgit-try\n.Nd try what a tool is\n", ".Sh SYNOPSIS\n", ".Sh OPTIONS\n",
            ".Sh EXIT STATUS\n",
            ".It Fl p , Fl -pretty\n", ".It Fl n Ar count , Fl -max-count Ar count\n",
            "There is none.\n",
            ".Xr sgit-exit-codes 7 .\n", "it's a [store]: \\eo/".replacing("it's", with: "It's"),
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func completionsOfEveryShellOfferEveryOption() {
        let bash = BashCompletion.text(of: Self.tool)
        let zsh = ZshCompletion.text(of: Self.tool)
        let fish = FishCompletion.text(of: Self.tool)
        for name in Self.names {
            #expect(bash.contains(name) && zsh.contains(name), "\(name)")
            let word =
                name.hasPrefix("--") ? " -l \(name.dropFirst(2))" : " -s \(name.dropFirst(1))"
            #expect(fish.contains(word), "\(name)")
        }
        #expect(bash.contains("complete -F _sgit_try sgit-try"))
        #expect(zsh.hasPrefix("#compdef sgit-try\n"))
        #expect(zsh.contains("it'\\''s a \\[store\\]\\: \\\\o/"))
        #expect(fish.contains("it\\'s a [store]: \\\\o/"))
    }

    @Test(arguments: [
        ("--generate=mdoc", ".\\\" generated: begin"), ("--generate=bash", "# bash"),
        ("--generate=zsh", "#compdef"),
        ("--generate=fish", "# fish"),
    ])
    func givesTheViewThatIsAskedFor(argument: String, beginning: String) throws {
        let view = try #require(GeneratedView(argument: Array(argument.utf8)))
        #expect(view.text(of: Self.tool).hasPrefix(beginning))
    }

    @Test(arguments: ["--generate", "--generate=", "--generate=html", "-p", ""])
    func givesNoViewForAnotherArgument(argument: String) {
        #expect(GeneratedView(argument: Array(argument.utf8)) == nil)
    }
}

@Suite struct ExitStatusTests {
    @Test func numbersAreTheTableOfTheSuite() {
        #expect(
            CommandInterface.ExitStatus.allCases.map(\.rawValue) == [
                0, 1, 3, 4, 5, 6, 7, 8, 128, 129,
            ])
    }

    @Test func quotesAnArgumentWithoutItsControlCharacters() {
        #expect(quoted(Array("a\u{1B}[31m\n\u{7F}b".utf8)) == "'a?[31m??b'")
    }

    @Test func everyShellKnowsWhereAnotherCommandBegins() {
        let tool = Tool(
            "sgit-try", "try",
            usage: [
                [
                    .any(Flag(nil, "exec", "run a command", endsOptions: true)),
                    .anyNumber(Operand("command", "a command") { $0 }),
                ]
            ])
        #expect(ShortHelp.text(of: tool).hasPrefix("usage: sgit-try [--exec] [<command>...]\n"))
        #expect(BashCompletion.text(of: tool).contains("    --exec)\n"))
        #expect(
            ZshCompletion.text(of: tool).contains(
                "'(-)--exec[run a command]:command: _command_names -e:*::argument: _normal'"))
        #expect(
            FishCompletion.text(of: tool).contains(
                "-n 'not begin; contains -- --exec (commandline -opc); end' -l exec"))
    }
}
