import CommandInterface
import Glibc
import SecretMemory
import TestSupport
import Testing

@Suite struct SecretInputTests {
    private let place = TemporaryFolder()

    private func read(_ text: String, mode: UInt32 = 0o600) throws -> [UInt8] {
        TestKeys.bytes(
            try SecretInput.file(place.write("key", Array(text.utf8), mode: mode)).read())
    }

    /// The name of the case that a body throws.
    private func failure(_ body: () throws -> Any) -> String {
        do {
            return "\(try body())"
        } catch SecretInputError.severalLines {
            return "severalLines"
        } catch SecretInputError.tooLong(_, let limit) {
            return "tooLong \(limit)"
        } catch SecretInputError.readableByOthers(_, let mode) {
            return "readableByOthers \(String(mode, radix: 8))"
        } catch SecretInputError.empty {
            return "empty"
        } catch SecretInputError.system(_, let code) {
            return "system \(code)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ["pass:abcd", "pass:abcd\n", "pass:abcd\r\n"])
    func takesOneLineEndOff(text: String) throws {
        #expect(try read(text) == Array("pass:abcd".utf8))
    }

    @Test(arguments: [
        (" a \n", " a "), ("\u{E9}\n", "\u{E9}"),
        ("a\u{0}b", "a\u{0}b"),
    ])
    func keepsEverythingElse(text: String, secret: String) throws {
        #expect(try read(text) == Array(secret.utf8))
    }

    @Test(arguments: ["", "\n", "\r\n"]) func tellsThatNothingWasGiven(text: String) {
        #expect(failure { try read(text) } == "empty")
    }

    @Test(arguments: [
        "a\n\n", "a\r\n\n", "a\n\r\n", "a\nb", "a\nb\n", "a\r", "a\rb\n", "\na", "a\r\r\n", "\n\n",
    ])
    func refusesMoreThanOneLine(text: String) {
        #expect(failure { try read(text) } == "severalLines")
    }

    @Test func takesTheLongestSecretAndNoLonger() throws {
        let longest = String(repeating: "a", count: SecretInput.limit)
        #expect(try read(longest + "\r\n").count == 65_536)
        #expect(failure { try read(longest + "a") } == "tooLong 65536")
        #expect(failure { try read(longest + "a\n") } == "tooLong 65536")
        #expect(failure { try read(longest + longest) } == "tooLong 65536")
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o601, 0o666, 0o610] as [UInt32])
    func refusesAFileThatOthersCanUse(mode: UInt32) throws {
        #expect(
            failure { try read("a", mode: mode) } == "readableByOthers \(String(mode, radix: 8))")
        let path = place.path + "/key"
        #expect(
            TestKeys.bytes(try SecretInput.file(path).read(acceptingReadableByOthers: true)) == [
                0x61
            ])
    }

    @Test(arguments: [0o600, 0o400, 0o700] as [UInt32])
    func takesAFileOfItsOwner(mode: UInt32) throws {
        #expect(try read("a", mode: mode) == [0x61])
    }

    @Test func saysThatAFileIsNotThere() {
        #expect(
            failure { try SecretInput.file(place.path + "/absent").read() } == "system \(ENOENT)")
        #expect(failure { try SecretInput.file(place.path).read() } == "system \(EISDIR)")
    }

    @Test func refusesAClosedDescriptor() {
        #expect(failure { try SecretInput.descriptor(9999).read() } == "system \(EBADF)")
    }

    @Test func readsAFileBehindADescriptorAgainAndAgain() throws {
        let path = try place.write("key", Array("secret\n".utf8))
        let file = open(path, O_RDONLY)
        defer { close(file) }
        lseek(file, 3, SEEK_SET)
        for _ in 0..<3 {
            #expect(TestKeys.bytes(try SecretInput.descriptor(file).read()) == Array("secret".utf8))
        }
        #expect(lseek(file, 0, SEEK_CUR) == 3)
    }

    @Test func readsAPipeToItsEnd() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        for piece in ["sec", "ret", "\n"] { #expect(write(ends[1], piece, piece.utf8.count) > 0) }
        close(ends[1])
        #expect(TestKeys.bytes(try SecretInput.descriptor(ends[0]).read()) == Array("secret".utf8))
    }

    @Test func looksAtNoModeBehindADescriptor() throws {
        let path = try place.write("key", [0x61], mode: 0o644)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        #expect(TestKeys.bytes(try SecretInput.descriptor(file).read()) == [0x61])
    }

    @Test func promptsNobodyOnATerminal() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        #expect(failure { try SecretInput.descriptor(terminal).read() } == "terminal")
    }
}
