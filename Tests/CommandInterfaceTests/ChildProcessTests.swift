import CommandInterface
import Glibc
import SecretMemory
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    /// What a program prints, and how it ends.
    private func run(
        _ script: String, _ arguments: [String] = [], input: ChildProcess.Input = .nothing
    ) throws -> (output: String, end: ChildProcess.End) {
        let child = try ChildProcess(
            .file(Array("/bin/sh".utf8)),
            (["-c", script, "sh"] + arguments).map { Array($0.utf8) }, input: input)
        return (text(child), child.wait())
    }

    private func text(_ child: ChildProcess) -> String {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let got = read(child.output, &piece, piece.count), got > 0 {
            text += piece[..<got]
        }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func readsItsInputAndArguments() throws {
        let (output, end) = try run(
            "cat; printf '[%s]' \"$@\"; exit 7", ["a b", "", "$HOME"],
            input: .bytes(Array("in\n".utf8)))
        #expect(output == "in\n[a b][][$HOME]")
        #expect(end == .exited(7))
    }

    @Test func takesAsMuchInputAsItSays() throws {
        let bytes = [UInt8](repeating: 0x61, count: ChildProcess.longestInput)
        #expect(try run("cat", input: .bytes(bytes)).output.utf8.elementsEqual(bytes))
    }

    @Test func readsNothingWhereThereIsNothing() throws {
        #expect(try run("cat").output == "")
    }

    @Test func inheritsNoDescriptorButTheStandardOnes() throws {
        let open = dup(0)
        defer { close(open) }
        let (output, _) = try run("echo /proc/self/fd/*")
        #expect(output == "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n")
    }

    @Test func hasNoSignalBlockedOrIgnored() throws {
        signal(SIGUSR1, SIG_IGN)
        defer { signal(SIGUSR1, SIG_DFL) }
        let (output, _) = try run("grep -E '^Sig(Blk|Ign):' /proc/self/status")
        // glibc keeps 32 and 33 for itself.
        let own = ["0000000000000000", "0000000180000000"]
        let lines = output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { line in own.contains { line.hasSuffix($0) } }, "\(output)")
    }

    @Test func saysWhatKilledIt() throws {
        #expect(try run("kill -TERM $$").end == .killed(signal: SIGTERM))
        let child = try ChildProcess(.named(Array("sleep".utf8)), [Array("60".utf8)])
        child.kill()
        #expect(child.wait() == .killed(signal: SIGKILL))
        #expect(child.wait() == .killed(signal: SIGKILL))
    }

    @Test func aFileIsNotLookedForAndANameIs() throws {
        #expect(throws: ChildProcessError.notStarted(program: Array("sh".utf8), code: ENOENT)) {
            try ChildProcess(.file(Array("sh".utf8)))
        }
        let child = try ChildProcess(
            .named(Array("sh".utf8)), ["-c", "echo found"].map { Array($0.utf8) })
        #expect(text(child) == "found\n")
    }

    @Test func refusesWhatIsNoProgram() throws {
        #expect(throws: ChildProcessError.notStarted(program: [], code: ENOENT)) {
            try ChildProcess(.file([]))
        }
        #expect(throws: ChildProcessError.notStarted(program: Array("/etc".utf8), code: EACCES)) {
            try ChildProcess(.file(Array("/etc".utf8)))
        }
    }

    @Test func aLongOutputIsReadWhole() throws {
        let output = try run("head -c 1000000 /dev/zero | tr '\\0' x").output
        #expect(output.utf8.count == 1_000_000)
    }

    // MARK: - Answers

    private func helper(_ script: String) throws -> ChildProcess {
        try ChildProcess(.file(Array("/bin/sh".utf8)), ["-c", script].map { Array($0.utf8) })
    }

    @Test func anAnswerIsAllThatIsPrintedAndTheEnd() throws {
        let answer = try #require(
            try helper("printf a; sleep 0.1; printf b; exit 3").answer(limit: 10, seconds: 20))
        #expect(TestKeys.bytes(answer.output) == Array("ab".utf8))
        #expect(answer.end == .exited(3))
    }

    @Test func whoSaysTooMuchIsKilled() throws {
        let answer = try #require(try helper("yes").answer(limit: 10, seconds: 20))
        #expect(answer.output.count == 10)
        #expect(answer.end == .killed(signal: SIGKILL))
    }

    @Test(arguments: ["exec sleep 60", "exec >&-; exec sleep 60", "printf a; exec sleep 60"])
    func whoIsLateIsKilled(_ script: String) throws {
        let child = try helper(script)
        #expect(child.answer(limit: 10, seconds: 1) == nil)
        #expect(child.wait() == .killed(signal: SIGKILL))
    }
}
