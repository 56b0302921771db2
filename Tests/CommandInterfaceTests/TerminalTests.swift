import CommandInterface
import Foundation
import Glibc
import SecretMemory
import TestSupport
import Testing

/// A pseudo-terminal with somebody who types once a text has been shown.
private final class Typist: @unchecked Sendable {
    /// The end that programs have.
    let terminal: Int32
    private let keyboard: Int32
    private var shown: [UInt8] = []
    private var seen = 0
    private let acting = DispatchGroup()

    init() throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        try #require(ioctl(keyboard, 0x4004_5431 /* TIOCSPTLCK */, &isLocked) == 0)
        terminal = ioctl(keyboard, 0x5441 /* TIOCGPTPEER */, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
        asking = Terminal(descriptor: terminal)
    }

    /// What asks there; it ends its line before the descriptors are another's.
    let asking: Terminal

    deinit {
        asking.endLine()
        close(terminal)
        close(keyboard)
    }

    /// For each pair: waits until the text has been shown behind what was waited for before, then types.
    func type(_ steps: [(after: String, keys: String)]) {
        act(steps.map { step in (step.after, { $0.press(step.keys) }) })
    }

    /// For each pair: waits as `type` does, then does that.
    func act(_ steps: [(after: String, deed: @Sendable (Typist) -> Void)]) {
        acting.wait()
        acting.enter()
        Thread.detachNewThread { [self] in
            for step in steps {
                while true {
                    if let found = shown[seen...].firstRange(of: Array(step.after.utf8)) {
                        seen = found.upperBound
                        break
                    }
                    guard look(milliseconds: 10_000) else { break }
                }
                step.deed(self)
            }
            acting.leave()
        }
    }

    func press(_ keys: String) { press(Array(keys.utf8)) }

    func press(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            // No more than the terminal holds before somebody reads it.
            let got = bytes[written...].prefix(512).withUnsafeBytes {
                write(keyboard, $0.baseAddress, $0.count)
            }
            guard got > 0 else { break }
            written += got
        }
    }

    private func look(milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return false }
        var piece = [UInt8](repeating: 0, count: 4096)
        let got = read(keyboard, &piece, piece.count)
        shown += piece.prefix(max(got, 0))
        return got > 0
    }

    /// All that the screen was sent, once everything is typed.
    var screen: String {
        acting.wait()
        // A byte behind everything that was written before.
        write(terminal, [0x1E], 1)
        while !shown.contains(0x1E), look(milliseconds: 10_000) {}
        return String(decoding: shown.prefix { $0 != 0x1E }, as: UTF8.self)
    }

    /// What the terminal is set to.
    var settings: [UInt8] {
        var mode = termios()
        tcgetattr(terminal, &mode)
        return withUnsafeBytes(of: mode) { Array($0) }
    }

    /// Whether the terminal echoes by itself.
    var echoes: Bool {
        var mode = termios()
        tcgetattr(terminal, &mode)
        return mode.c_lflag & tcflag_t(ECHO) != 0
    }
}

private func failure(_ body: () throws -> SecretBytes) -> TerminalError? {
    do {
        _ = try body()
        return nil
    } catch { return error as? TerminalError }
}

@Suite struct TerminalTests {
    private let typist: Typist
    private var terminal: Terminal { typist.asking }

    init() throws {
        typist = try Typist()
    }

    private func ask(_ keys: String, _ echo: Terminal.Echo) throws -> String {
        typist.type([("Code: ", keys)])
        return String(
            decoding: TestKeys.bytes(try terminal.ask("Code: ", echo)), as: UTF8.self)
    }

    @Test(arguments: ["abc\n", "abc\r"]) func showsWhatIsTypedAndStaysOnTheLine(keys: String) throws
    {
        #expect(try ask(keys, .shown) == "abc")
        #expect(typist.screen == "Code: abc")
        #expect(terminal.isInLine)
    }

    @Test(arguments: ["a\n", "a much longer answer \u{E9}\n"])
    func showsEightDotsForAnyHiddenAnswer(keys: String) throws {
        #expect(try ask(keys, .hidden) == String(keys.dropLast()))
        #expect(typist.screen == "Code: ········")
    }

    @Test func showsNothingForNoAnswer() throws {
        #expect(try ask("\n", .hidden) == "")
        #expect(typist.screen == "Code: ")
    }

    @Test(arguments: [
        ("abd\u{7F}c\n", "abc", "abd\u{8} \u{8}c"),
        ("ab\u{8}\u{8}\u{8}\u{8}c\n", "c", "ab\u{8} \u{8}\u{8} \u{8}c"),
        ("aé\u{7F}b\n", "ab", "aé\u{8} \u{8}b"),
        ("漢\u{7F}b\n", "b", "漢\u{8} \u{8}\u{8} \u{8}b"),
        ("e\u{301}\u{7F}\n", "e", "e\u{301}"),
        ("ab\u{15}c\n", "c", "ab\u{8} \u{8}\u{8} \u{8}c"),
        ("a b \u{17}c\n", "a c", "a b \u{8} \u{8}\u{8} \u{8}c"),
        (" \u{17}c\n", "c", " \u{8} \u{8}c"), ("\u{17}c\n", "c", "c"), ("a\u{4}b\n", "ab", "ab"),
    ])
    func edits(keys: String, answer: String, screen: String) throws {
        #expect(try ask(keys, .shown) == answer)
        #expect(typist.screen == "Code: " + screen)
    }

    @Test(arguments: ["abd\u{7F}c\n", "x\u{15}abc\n", "abcé\u{7F}\n", "\u{17}abc d\u{17}\u{7F}\n"])
    func editsAHiddenAnswerUnseen(keys: String) throws {
        #expect(try ask(keys, .hidden) == "abc")
        #expect(typist.screen == "Code: ········")
    }

    @Test func takesWhatCouldSteerATerminalAndShowsItAsMarks() throws {
        #expect(try ask("\u{1B}[Ax\u{202E}\t\n", .shown) == "\u{1B}[Ax\u{202E}\t")
        #expect(typist.screen == "Code: ?[Ax??")
    }

    @Test func showsBytesThatAreNoTextAndTakesThemBackOneByOne() throws {
        let back: [UInt8] = [0x7F, 0x7F, 0x7F, 0x7F]
        typist.act([
            (
                "Code: ",
                { $0.press([0xE2, 0x82, 0x41] + back + [0x78, 0xC3, 0x7F, 0x79, 0xED, 0x0A]) }
            )
        ])
        #expect(TestKeys.bytes(try terminal.ask("Code: ", .shown)) == [0x78, 0x79, 0xED])
        #expect(typist.screen == "Code: ??A\u{8} \u{8}\u{8} \u{8}\u{8} \u{8}xy")
    }

    @Test func takesTheLongestAnswerAndNoLonger() throws {
        let longest = String(repeating: "a", count: Terminal.longestAnswer)
        #expect(try ask(longest + "\n", .hidden).utf8.count == 4096)
        #expect(try ask(longest + "b\u{15}short\n", .hidden) == "short")
        typist.type([("Code: ", longest + "b\u{7F}c\nnext\n")])
        #expect(failure { try terminal.ask("Code: ", .hidden) } == .tooLong)
        // What stands behind the line is the next answer, where it may be seen.
        #expect(TestKeys.bytes(try terminal.ask("Again: ", .shown)) == Array("next".utf8))
    }

    @Test func forgetsWhatWasTypedBeforeAHiddenQuestion() throws {
        typist.press("early")
        // Shown by the terminal itself.
        typist.act([("early", { _ in })])
        #expect(try ask("abc\n", .hidden) == "abc")
    }

    @Test func goesOnOnTheLineOfTheAnswer() throws {
        typist.type([("One: ", "a\n"), ("two: ", "b\n")])
        _ = try terminal.ask("One: ", .hidden)
        _ = try terminal.ask("two: ", .shown)
        terminal.write("   done\n")
        #expect(!terminal.isInLine)
        terminal.endLine()
        #expect(typist.screen == "One: ········   two: b   done\r\n")
    }

    @Test func endsItsLineOnce() throws {
        typist.type([])
        terminal.write("")
        #expect(!terminal.isInLine)
        terminal.write(
            SecretBytes(count: 3) {
                $0.copyBytes(from: Array("abc".utf8)); return 3
            })
        #expect(terminal.isInLine)
        terminal.endLine()
        terminal.endLine()
        do {
            let other = Terminal(descriptor: typist.terminal)
            other.write("end")
        }
        #expect(typist.screen == "abc\r\nend\r\n")
    }

    @Test func showsNoPromptThatSteersTheTerminal() throws {
        typist.type([("x", "a\n")])
        _ = try terminal.ask("\u{1B}]0;x", .hidden)
        #expect(typist.screen.hasPrefix("?]0;x"))
    }

    @Test func hasNoAnswerWhereTheInputEnds() throws {
        let before = typist.settings
        typist.type([("Code: ", "ab\u{15}\u{4}")])
        #expect(failure { try terminal.ask("Code: ", .hidden) } == .closed)
        #expect(typist.settings == before)
        let pipe = Terminal(descriptor: -1)
        #expect(failure { try pipe.ask("Code: ", .hidden) } == .system(code: EBADF))
    }

    @Test(arguments: [Terminal.Echo.hidden, .shown])
    func leavesTheTerminalAndTheSignalsAsTheyWere(echo: Terminal.Echo) throws {
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        let settings = typist.settings
        #expect(typist.echoes)
        typist.type([("Code: ", "abc\n")])
        _ = try terminal.ask("Code: ", echo)
        #expect(typist.settings == settings)
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for signal: Int32 in 1..<32 {
            #expect(sigismember(&before, signal) == sigismember(&after, signal))
        }
    }

    @Test func asksAgainAfterASignalThatTheProcessSurvives() throws {
        // The threads that tests run on hold back every signal.
        var continuation = sigset_t()
        sigemptyset(&continuation)
        sigaddset(&continuation, SIGCONT)
        var before = sigset_t()
        pthread_sigmask(SIG_UNBLOCK, &continuation, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let asking = pthread_self()
        typist.act([
            ("Code: ", { $0.press("ab") }), ("ab", { _ in pthread_kill(asking, SIGCONT) }),
            ("Code: ab", { $0.press("c\n") }),
        ])
        #expect(TestKeys.bytes(try terminal.ask("Code: ", .shown)) == Array("abc".utf8))
        #expect(typist.screen == "Code: ab\r\nCode: abc")
    }
}
