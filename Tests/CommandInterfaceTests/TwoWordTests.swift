import CommandInterface
import Testing

private let force = Flag("f", "force", "do it whatever is there")
private let paper = Option(nil, "paper", "size", "print on this", completion: .words(["a4"])) { $0 }
private let kind = Operand("kind", "a kind") { $0.isEmpty ? nil : $0 }
private let file = Operand("file", "a file", completion: .files) { $0.isEmpty ? nil : $0 }

/// Tools with commands of two words beside those of one.
@Suite struct TwoWordTests {
    private static let tool = Tool(
        "sgit-try", "try words",
        usage: [
            [.word(Word("list", "list what is there")), .any(force)],
            [.word(Word("lock add", "add a lock")), .any(paper), .one(kind)],
            [.word(Word("lock list", "list the locks")), .optional(file)],
        ])

    private static func choose(_ words: String...) throws(UsageError) -> Choice {
        try tool.choose(words.map { Array($0.utf8) })
    }

    private static func help(_ choice: Choice) -> String { ShortHelp.text(of: choice.helped) }

    @Test func choosesTheCommandOfTwoWords() throws {
        let choice = try Self.choose("lock", "add", "passphrase", "--paper", "a4")
        #expect(choice.command == "lock add")
        #expect(choice.forms.count == 1)
        #expect(choice.rest == ["passphrase", "--paper", "a4"].map { Array($0.utf8) })
        #expect(
            Self.help(choice).hasPrefix(
                "usage: sgit-try lock add [--paper <size>] <kind>\n\nadd a lock\n"))
        #expect(!Self.help(choice).contains("or: "))
    }

    @Test func keepsTheSecondWordApartFromAFirstOfTheSameName() throws {
        #expect(try Self.choose("list", "-f").command == "list")
        #expect(try Self.choose("lock", "list").command == "lock list")
        #expect(try Self.choose("list", "lock").rest == [Array("lock".utf8)])
    }

    @Test func prefersTheCommandOfMoreWords() throws {
        let tool = Tool(
            "t", "x",
            usage: [
                [.word(Word("lock", "lock it")), .optional(kind)], [.word(Word("lock add", "add"))],
            ])
        #expect(try tool.choose([Array("lock".utf8), Array("add".utf8)]).command == "lock add")
        #expect(try tool.choose([Array("lock".utf8), Array("door".utf8)]).command == "lock")
        #expect(try tool.choose([Array("lock".utf8)]).command == "lock")
    }

    @Test func namesTheSecondWordsWhereNoneOfThemStands() {
        #expect(throws: UsageError("'lock' goes on with one of add, list")) {
            try Self.choose("lock")
        }
        #expect(throws: UsageError("'lock' goes on with one of add, list, not 'open'")) {
            try Self.choose("lock", "open")
        }
        #expect(throws: UsageError("'add' is no command, or does not stand first")) {
            try Self.choose("add")
        }
        #expect(throws: UsageError("'lock add' is no command, or does not stand first")) {
            try Self.choose("lock add")
        }
    }

    @Test func helpBehindTheFirstWordShowsAllThatGoOnFromIt() throws {
        let choice = try Self.choose("lock", "-h")
        #expect(choice.command == nil && choice.forms.isEmpty)
        let text = Self.help(choice)
        #expect(
            text.hasPrefix(
                "usage: sgit-try lock add [--paper <size>] <kind>\n"
                    + "   or: sgit-try lock list [<file>]\n"))
        #expect(text.contains("\n    lock add                add a lock\n"))
        #expect(text.contains("\n    lock list               list the locks\n"))
        #expect(!text.contains("list what is there"))
        guard case .shortHelp = try Parser(forms: choice.forms).parse(choice.rest) else {
            Issue.record("no help")
            return
        }
        #expect(throws: UsageError("unknown option '-x'")) {
            let choice = try Self.choose("lock", "-x")
            _ = try Parser(forms: choice.forms).parse(choice.rest)
        }
    }

    @Test func helpAndPageListBothWords() {
        #expect(
            ShortHelp.text(of: Self.tool).contains("\n    lock add                add a lock\n"))
        let page = ManualPage.text(of: Self.tool)
        #expect(page.contains(".Nm\n.Cm lock add\n.Op Fl -paper Ar size\n.Ar kind\n"))
        #expect(page.contains(".It Cm lock add\nAdd a lock.\n"))
    }

    // MARK: - Completions

    @Test func bashOffersTheFirstTheSecondAndTheOptions() {
        let text = BashCompletion.text(of: Self.tool)
        for part in [
            "compgen -W 'list lock' -- \"$word\"", "compgen -W 'add list' -- \"$word\"",
            "    list) words='-f --force -h --help --version' files= ;;\n",
            "        add) words='--paper -h --help --version' files= ;;\n",
            "        list) words='-h --help --version' files=yes ;;\n",
            "        *) words='-h --help --version' files= ;;\n",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func zshDescribesTheFirstAndTheSecond() {
        let text = ZshCompletion.text(of: Self.tool)
        for part in [
            "  'list:list what is there'\n  'lock:add, list'\n",
            "  'add:add a lock'\n  'list:list the locks'\n",
            "  add)\n  shift 2 words\n  (( CURRENT -= 2 ))\n",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func fishTellsTheWordsByTheirPlaces() {
        let lines = Set(FishCompletion.text(of: Self.tool).split(separator: "\n").map(String.init))
        let start = "complete -c sgit-try -n "
        let isLock = "contains -- lock (commandline -opc)[2]"
        for line in [
            "\(start)'not contains -- (commandline -opc)[2] list lock' -a lock -d 'add, list'",
            "\(start)'\(isLock); and not contains -- (commandline -opc)[3] add list' -a add -d 'add a lock'",
            "\(start)'\(isLock); and contains -- list (commandline -opc)[3]' -F",
            "\(start)'contains -- list (commandline -opc)[2]' -s f -l force -d 'do it whatever is there'",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }
}
