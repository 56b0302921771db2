import CommandInterface
import Store
import TestSupport
import Testing

private let message = Option("m", "message", "text", "say why", repeated: true) { $0 }
private let count = Option("n", "max-count", "count", "stop after so many") {
    Int(String(decoding: $0, as: UTF8.self))
}
private let force = Flag("f", "force", "put it there whatever is there")
private let loud = Flag(nil, "loud", "say more")
private let path = Operand("path", "a path in the vault") { $0.isEmpty ? nil : $0 }
private let file = Operand("file", "a file", completion: .files) { $0.isEmpty ? nil : $0 }
private let put = Word("put", "store a file")
private let list = Word("list", "list what is there")

/// Tools whose forms begin with words.
@Suite struct WordTests {
    private static let putForm: [UsageElement] = [
        .word(put), .any(message, force), .one(path), .optional(file),
    ]
    private static let listForm: [UsageElement] = [.word(list), .any(count), .anyNumber(path)]
    private static let plainForm: [UsageElement] = [.required(loud)]

    private static let tool = Tool("sgit-try", "try words", usage: [putForm, listForm])
    private static let mixed = Tool("sgit-try", "try words", usage: [plainForm, putForm, listForm])
    private static let single = Tool(
        "sgit-try", "try words", usage: [listForm, [.word(list), .required(force)]],
        answersNo: "there is none")

    private static func parse(_ form: [UsageElement], _ words: String...) throws -> Invocation {
        guard
            case .run(let parsed) = try Parser(forms: [form]).parse(words.map { Array($0.utf8) })
        else { throw UsageError("not a run") }
        return Invocation(
            parsed, command: "put", name: "sgit-try",
            output: Output(descriptor: 1, toolName: "sgit-try"))
    }

    private static func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    // MARK: - Parsing

    @Test func takesNoOperandForTheWord() throws {
        // The word itself was taken off by the tool.
        let call = try Self.parse(Self.putForm, "a")
        #expect(call[path] == Array("a".utf8))
        #expect(call.command == "put")
        #expect(throws: UsageError.self) { try Self.parse(Self.putForm) }
    }

    @Test func givesAnOptionalOperandOrNothing() throws {
        #expect(try Self.parse(Self.putForm, "a").first(file) == nil)
        #expect(try Self.parse(Self.putForm, "a", "b").first(file) == Array("b".utf8))
        #expect(try Self.parse(Self.putForm, "a", "-f", "b").first(file) == Array("b".utf8))
        #expect(try Self.parse(Self.putForm, "a").all(file).isEmpty)
        #expect(throws: UsageError("unexpected operand 'c'")) {
            try Self.parse(Self.putForm, "a", "b", "c")
        }
        #expect(throws: UsageError("'' is no <file>")) { try Self.parse(Self.putForm, "a", "") }
    }

    @Test func givesTwoOptionalOperandsFromTheLeft() throws {
        let form: [UsageElement] = [.optional(path), .optional(file)]
        let one = try Self.parse(form, "a")
        #expect(one.first(path) == Array("a".utf8) && one.first(file) == nil)
        let two = try Self.parse(form, "a", "b")
        #expect(two.first(path) == Array("a".utf8) && two.first(file) == Array("b".utf8))
        #expect(try Self.parse(form).first(path) == nil)
    }

    @Test func givesEveryValueOfARepeatedOptionInItsOrder() throws {
        let call = try Self.parse(Self.putForm, "-m", "b", "x", "--message=a", "-mb", "-m", "")
        #expect(call.all(message) == Self.bytes("b", "a", "b", ""))
        #expect(call[message] == [])
        #expect(try Self.parse(Self.putForm, "x").all(message).isEmpty)
        #expect(try Self.parse(Self.putForm, "x")[message] == nil)
    }

    @Test func knowsNoOptionOfAnotherWord() {
        #expect(throws: UsageError("unknown option '-n'")) {
            try Self.parse(Self.putForm, "x", "-n1")
        }
        #expect(throws: UsageError("unknown option '-m'")) {
            try Self.parse(Self.listForm, "-m", "x")
        }
    }

    @Test func callsThisMachineByTheNameOfABranch() throws {
        let name = try Self.parse(Self.putForm, "x").deviceName
        #expect(BranchIndex.isBranchName(Array(name.utf8)), "\(name)")
    }

    // MARK: - Help

    @Test func helpBeginsEveryFormWithItsWord() {
        let text = ShortHelp.text(of: Self.tool)
        #expect(
            text.hasPrefix(
                "usage: sgit-try put [-m <text>]... [-f] <path> [<file>]\n"
                    + "   or: sgit-try list [-n <count>] [<path>...]\n\ntry words\n\n"))
    }

    @Test func helpListsTheWordsOfAToolAndLeavesTheirOptionsToThem() {
        let text = ShortHelp.text(of: Self.mixed)
        #expect(text.contains("\n    put                     store a file\n"))
        #expect(text.contains("\n    list                    list what is there\n"))
        #expect(text.contains("\n    --loud                  say more\n"))
        for row in ["<path>", "<file>", "-m, --message", "-n, --max-count", "-f, --force"] {
            #expect(!text.contains("\n    \(row)"), "\(row)")
        }
    }

    @Test func helpOfOneWordSaysWhatTheWordDoes() {
        let text = ShortHelp.text(of: Self.single)
        #expect(text.contains("\n\nlist what is there\n\n"))
        #expect(!text.contains("try words"))
        #expect(!text.contains("\n    list "))
        #expect(text.contains("\n    <path>  ") && text.contains("\n    -n, --max-count <count>"))
        #expect(text.hasSuffix("\nexit status 1: there is none\n"))
        #expect(text.contains("or: sgit-try list -f\n"))
    }

    @Test func helpOfAToolWithoutWordsSaysWhatTheToolDoes() {
        let text = ShortHelp.text(of: Tool("sgit-try", "try words", usage: [Self.plainForm]))
        #expect(text.hasPrefix("usage: sgit-try --loud\n\ntry words\n\n    --loud"))
    }

    // MARK: - The manual page

    @Test func manualPageShowsTheWordsInItsSynopsisAndTheirOwnSection() {
        let text = ManualPage.text(of: Self.tool)
        #expect(
            text.contains(
                ".Sh SYNOPSIS\n.Nm\n.Cm put\n.Op Fl m Ar text Ns ...\n.Op Fl f\n.Ar path\n"
                    + ".Op Ar file\n.Nm\n.Cm list\n.Op Fl n Ar count\n.Op Ar path ...\n"))
        #expect(
            text.contains(
                ".Sh COMMANDS\n.Bl -tag -width Ds\n.It Cm put\nStore a file.\n"
                    + ".It Cm list\nList what is there.\n.El\n.Sh OPTIONS\n"))
    }

    @Test func manualPageOfAToolWithoutWordsHasNoSectionForThem() {
        let text = ManualPage.text(of: Tool("sgit-try", "try words", usage: [Self.plainForm]))
        #expect(!text.contains("COMMANDS") && !text.contains(".Cm"))
    }

    @Test func manualPageListsTheStatusesThatTheToolCanEndWith() {
        let none = ManualPage.text(of: Self.tool)
        #expect(!none.contains("\n.It 1\n") && !none.contains("\n.It 5\n"))
        let moves = Tool("sgit-try", "x", usage: [Self.listForm], answersNo: "no", moves: true)
        let text = ManualPage.text(of: moves)
        #expect(text.contains("\n.It 1\nNo.\n") && text.contains("\n.It 5\n"))
    }

    @Test func manualPageShowsAnOptionOfTwoMeaningsTwice() {
        let other = Flag("f", "force", "remove it whatever is in it")
        let text = ManualPage.text(
            of: Tool(
                "sgit-try", "try words",
                usage: [
                    Self.putForm, [.word(Word("remove", "remove it")), .any(other), .one(path)],
                ]))
        let item = ".It Fl f , Fl -force\n"
        #expect(text.contains(item + "Put it there whatever is there.\n"))
        #expect(text.contains(item + "Remove it whatever is in it.\n"))
        #expect(text.split(separator: ".It Ar path\n").count == 2)
    }

    // MARK: - Completions

    @Test func bashOffersTheWordsFirstAndThenTheOptionsOfEach() {
        let text = BashCompletion.text(of: Self.mixed)
        #expect(text.contains("compgen -W 'put list' -- \"$word\""))
        #expect(text.contains("words='--loud -h --help --version' files=\n"))
        #expect(
            text.contains(
                "    put) words='-m --message -f --force -h --help --version' files=yes ;;\n"))
        #expect(
            text.contains("    list) words='-n --max-count -h --help --version' files= ;;\n"))
        #expect(
            !BashCompletion.text(of: Tool("t", "x", usage: [Self.plainForm])).contains(
                "COMP_CWORD =="))
    }

    @Test func zshDescribesTheWordsAndCompletesAfterEach() throws {
        let text = ZshCompletion.text(of: Self.mixed)
        #expect(text.contains("  'put:store a file'\n  'list:list what is there'\n"))
        let parts = text.split(separator: "_arguments -S")
        try #require(parts.count == 4)
        #expect(parts[0].hasSuffix("put)\n  shift words\n  (( CURRENT-- ))\n"))
        #expect(parts[1].contains("'*-m+[say why]:text: '") && !parts[1].contains("max-count"))
        #expect(parts[1].contains("'*:file:_files'"))
        #expect(parts[2].contains("--max-count") && !parts[2].contains("--message"))
        #expect(parts[2].contains("'*:path: '"))
        #expect(parts[3].contains("--loud") && !parts[3].contains("--force"))
    }

    @Test func fishOffersTheWordsAndTheOptionsOfTheOneThatIsThere() {
        let text = FishCompletion.text(of: Self.mixed)
        let unless = "-n 'not __fish_seen_subcommand_from put list'"
        let lines = Set(text.split(separator: "\n").map(String.init))
        for line in [
            "complete -c sgit-try \(unless) -a put -d 'store a file'",
            "complete -c sgit-try \(unless) -a list -d 'list what is there'",
            "complete -c sgit-try \(unless) -l loud -d 'say more'",
            "complete -c sgit-try -n '__fish_seen_subcommand_from put' -F",
            "complete -c sgit-try -n '__fish_seen_subcommand_from put' -s m -l message -x -d 'say why'",
            "complete -c sgit-try -n '__fish_seen_subcommand_from list' -s n -l max-count -x -d 'stop after so many'",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains("complete -c sgit-try -n '__fish_seen_subcommand_from list' -F"))
        let plain = FishCompletion.text(of: Tool("t", "x", usage: [Self.plainForm]))
        #expect(!plain.contains("__fish_seen_subcommand_from"))
    }
}
