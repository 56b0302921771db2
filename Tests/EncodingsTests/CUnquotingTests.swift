import Encodings
import TestSupport
import Testing

@Suite struct CUnquotingTests {
    private static func unquote(_ text: String) -> [UInt8]? {
        CQuoting.unquote(Array(text.utf8)[...])
    }

    @Test func givesBackEveryNameThatWasQuoted() {
        var numbers = SeededNumbers()
        let special = Array("\"\\\u{7}\u{8}\t\n\u{B}\u{C}\r 0123abfnrtv".utf8)
        for round in 0..<3000 {
            let name = (0..<numbers.below(12)).map { _ in
                numbers.below(2) == 0
                    ? special[numbers.below(special.count)]
                    : UInt8(truncatingIfNeeded: numbers.next())
            }
            let shown = CQuoting.quote(name, always: round % 2 == 0)
            #expect(CQuoting.unquote(shown[...]) == name, "\(name), seed \(numbers.seed)")
        }
    }

    @Test func givesBackEveryByte() {
        for byte in UInt8.min...UInt8.max {
            let shown = CQuoting.quote([byte], always: true)
            #expect(CQuoting.unquote(shown[...]) == [byte])
        }
    }

    @Test(arguments: ["", "a", "a b", "a\"b", "a\"", "a\\n", "\\", "'a'", " \"a\""])
    func leavesWhatBeginsWithNoQuoteAsItIs(text: String) {
        #expect(Self.unquote(text) == Array(text.utf8))
    }

    @Test(arguments: [
        (#""""#, ""), (#""a b""#, "a b"),
        (#""\a\b\t\n\v\f\r\"\\""#, "\u{7}\u{8}\t\n\u{B}\u{C}\r\"\\"),
        (#""\303\251""#, "\u{E9}"), (#""\0011""#, "\u{1}1"), (#""\000""#, "\0"),
    ])
    func readsWhatGitQuotes(shown: String, name: String) {
        #expect(Self.unquote(shown) == Array(name.utf8))
    }

    @Test func readsBytesThatAreNoText() {
        #expect(Self.unquote(#""\377\200""#) == [0xFF, 0x80])
        #expect(CQuoting.unquote([0x22, 0xFF, 0x22]) == [0xFF])
    }

    @Test(arguments: [
        #"""#, #""a"#, #""a"b"#, #""a"""#, #""\"#, #""\""#, #""a\"#, #""\x41""#, #""\400""#,
        #""\777""#, #""\08""#, #""\018""#, #""\181""#, #""\1""#, #""\12""#, #""\0"#, #""\00"#,
        #""\'""#, #""\?""#, #""\e""#, #""\ ""#, #""\A""#, #""\9""#,
    ])
    func refusesABrokenQuote(text: String) {
        #expect(Self.unquote(text) == nil)
    }
}
