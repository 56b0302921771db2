import Encodings
import TestSupport
import Testing

@Suite struct CQuotingTests {
    @Test(arguments: ["a", "a b", "-", "~", "a/b.txt", "", "'"])
    func leavesAPlainNameAsItIs(name: String) {
        #expect(CQuoting.quote(Array(name.utf8)) == Array(name.utf8))
    }

    @Test(arguments: [
        ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#),
        ("\u{7}\u{8}\t\n\u{B}\u{C}\r", #""\a\b\t\n\v\f\r""#),
        ("\u{0}", #""\000""#), ("\u{1}", #""\001""#), ("\u{1F}", #""\037""#),
        ("\u{7F}", #""\177""#),
        ("\u{E9}", #""\303\251""#), ("e\u{301}", #""e\314\201""#),
        ("\u{1F680} x", #""\360\237\232\200 x""#),
    ])
    func quotesAsGitDoes(name: String, quoted: String) {
        #expect(CQuoting.quote(Array(name.utf8)) == Array(quoted.utf8))
    }

    @Test func quotesBytesThatAreNoText() {
        #expect(CQuoting.quote([0xFF, 0x80]) == Array(#""\377\200""#.utf8))
    }

    @Test func quotesAPlainNameWhereItIsToldTo() {
        #expect(CQuoting.quote(Array("a b".utf8), always: true) == Array("\"a b\"".utf8))
        #expect(CQuoting.quote([], always: true) == Array("\"\"".utf8))
    }

    @Test func leavesNoByteThatPartsARecord() {
        let quoted = CQuoting.quote(Array(UInt8.min...UInt8.max))
        #expect(quoted.allSatisfy { (0x20..<0x7F).contains($0) })
    }
}
