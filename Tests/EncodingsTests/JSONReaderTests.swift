import Encodings
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    private static func read(_ text: String) throws -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    // MARK: - Values

    @Test(
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("\"\"", .text("")),
            ("[]", .array([])), ("{}", .object([])), (" \t\n\r[ \t\n\r] \t\n\r", .array([])),
            ("[null,true]", .array([.null, .bool(true)])),
            ("{\"\":1}", .object([.init("", .integer(1))])),
            (
                "{ \"a\" : [ { } , [ ] ] }",
                .object([.init("a", .array([.object([]), .array([])]))])
            ),
        ] as [(String, JSONValue)])
    func readsAValue(text: String, value: JSONValue) throws {
        #expect(try Self.read(text) == value)
    }

    @Test(arguments: [
        "0", "-0", "7", "-7", "10", "1234567890", "0.0", "-0.5", "1.25", "1e1", "1E1", "1e+1",
        "1e-1",
        "0e0", "1.5E+10", "123456789012345678901234567890", "1e999", "0.00000000000000000000001",
    ])
    func keepsANumberAsItIsWritten(text: String) throws {
        #expect(try Self.read(text) == .number(Array(text.utf8)))
        #expect(try Self.read("[" + text + "]") == .array([.number(Array(text.utf8))]))
    }

    @Test(arguments: [
        "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e1", "1e", "1e+", "1E-", "e1", "1e1.5",
        "0x1",
        "1_000", "1 2", "--1", "1-", "NaN", "Infinity", "-Infinity", "nan", "inf", "1f", "\u{661}",
        "1,",
    ])
    func refusesWhatIsNoNumber(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
        #expect(throws: JSONError.self) { try Self.read("[" + text + "]") }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("9223372036854775807", Int.max), ("-9223372036854775807", -Int.max),
    ])
    func givesAWholeNumberThatFits(text: String, value: Int) throws {
        #expect(try Self.read(text).integer == value)
    }

    @Test(arguments: ["1.0", "1e3", "9223372036854775808", "\"1\"", "null", "true"])
    func givesNoIntegerForAnotherValue(text: String) throws {
        #expect(try Self.read(text).integer == nil)
    }

    // MARK: - Strings

    @Test func readsEveryEscape() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u00E9\u20AC\ud83d\ude80\uDBFF\uDFFF\u0000""#
        let expected = "\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{E9}\u{20AC}\u{1F680}\u{10FFFF}\u{0}"
        #expect(try Self.read(text) == .string(Array(expected.utf8)))
    }

    @Test(arguments: [
        #""\a""#, #""\v""#, #""\'""#, #""\0""#, #""\x41""#, #""\U0041""#, #""\ ""#, "\"\\\n\"",
        #""\u""#,
        #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\u+123""#, #""\u 123""#, #""\u00-1""#,
        #""\""#,
    ])
    func refusesAnUnknownEscape(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    @Test(arguments: [
        #""\ud800""#, #""\uDBFF""#, #""\udc00""#, #""\uDFFF""#, #""\ud800x""#, #""\ud800\n""#,
        #""\ud800\ud800""#, #""\ud800\u0041""#, #""\udc00\ud800""#, #""\ud800\""#, #""\ud800\u""#,
        #""\ud800\udc0""#,
    ])
    func refusesALoneSurrogate(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    @Test func refusesEveryControlCharacterInAString() throws {
        for byte in UInt8(0)..<0x20 {
            #expect(throws: JSONError.malformed(at: 2)) {
                try JSONReader.read([0x22, 0x61, byte, 0x22])
            }
        }
        #expect(try JSONReader.read([0x22, 0x7F, 0x22]) == .string([0x7F]))
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xFF], [0xE2, 0x82], [0xC3, 0x5C, 0x6E],
        ] as [[UInt8]])
    func refusesInvalidUTF8InAString(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONReader.read([0x22] + bytes + [0x22]) }
        #expect(throws: JSONError.self) {
            try JSONReader.read(Array("{\"".utf8) + bytes + Array("\":1}".utf8))
        }
    }

    @Test func readsUTF8AsItIsAndFoldsNoSpellings() throws {
        let (composed, decomposed) = (try Self.read("\"\u{E9}\""), try Self.read("\"e\u{301}\""))
        #expect(composed == .string([0xC3, 0xA9]))
        #expect(decomposed == .string([0x65, 0xCC, 0x81]))
        #expect(composed != decomposed)
    }

    @Test(arguments: ["\"", "\"a", "\"\\", "\"\\\"", "\"a\n"])
    func refusesAnOpenString(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    // MARK: - Structure

    @Test(arguments: [
        "", " ", "nul", "nulll", "tru", "truee", "True", "TRUE", "falsey", "undefined", "'a'", "a",
        "[", "]",
        "{", "}", "[1", "[1,", "[,", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1:2]", "[}", "{]",
        "{\"a\"",
        "{\"a\":", "{\"a\":}", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}",
        "{\"a\"1}",
        "{\"a\",1}", "{a:1}", "{1:1}", "{null:1}", "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}",
        "{\"a\"::1}",
        "[]]", "{}}", "[] []", "1 1", "null,", "//", "/* */ 1", "1 // x", "# x\n1", "[1;2]",
        "\u{FEFF}[]",
        "[]\u{FEFF}", "\u{A0}[]", "\u{C}[]", "\u{B}[]", "[]\u{0}", "\u{0}[]", "[\u{0}]", "\u{85}1",
    ])
    func refusesWhatIsNoDocument(text: String) {
        #expect(throws: JSONError.self) { try Self.read(text) }
    }

    @Test func refusesUTF16() {
        #expect(throws: JSONError.self) { try JSONReader.read([0x5B, 0x00, 0x5D, 0x00]) }
        #expect(throws: JSONError.self) {
            try JSONReader.read([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00])
        }
    }

    @Test func tellsWhereTheByteIsThatWasNotExpected() {
        #expect(throws: JSONError.malformed(at: 4)) { try Self.read("[1, x]") }
        #expect(throws: JSONError.malformed(at: 3)) { try Self.read("[] x") }
        #expect(throws: JSONError.malformed(at: 2)) { try Self.read("[1") }
    }

    @Test func readsSixtyFourLevelsAndRefusesOneMore() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        _ = try Self.read(nested(64, "[", "]"))
        _ = try Self.read(nested(64, "{\"a\":", "}"))
        #expect(throws: JSONError.tooDeep(at: 64)) { try Self.read(nested(65, "[", "]")) }
        #expect(throws: JSONError.tooDeep(at: 64 * 5)) { try Self.read(nested(65, "{\"a\":", "}")) }
    }

    @Test func countsOpenLevelsAndNotThoseThatWereClosed() throws {
        _ = try Self.read("[" + Array(repeating: "[[]]", count: 200).joined(separator: ",") + "]")
    }

    @Test func refusesAMillionOpenBracketsWithoutOverflow() {
        #expect(throws: JSONError.tooDeep(at: 64)) {
            try JSONReader.read([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test func keepsMembersInTheirOrderAndTwiceWhereTheyStandTwice() throws {
        let value = try Self.read("{\"b\":1,\"a\":2,\"b\":3}")
        #expect(
            value
                == .object([
                    .init("b", .integer(1)), .init("a", .integer(2)), .init("b", .integer(3)),
                ]))
    }

    @Test func looksUpTheLastOfTwoMembers() throws {
        #expect(try Self.read("{\"b\":1,\"a\":2,\"b\":3}")["b"] == .integer(3))
        #expect(try Self.read("{\"b\":1}")["c"] == nil)
        #expect(try Self.read("[1]")["b"] == nil)
    }

    @Test func readsASliceThatDoesNotBeginAtZero() throws {
        #expect(try JSONReader.read(Array("xx[1]".utf8)[2...]) == .array([.integer(1)]))
    }

    // MARK: - The scanner

    /// A document with one of everything.
    static let seedDocument = Array(
        #"{"schema": "x_v1", "a": [1, -0.5e+3, true, false, null, "\ud83d\ude80\n\u00e9", {}], "é": {"b": []}}"#
            .utf8)

    @Test func passesOverExactlyWhatItReads() {
        var numbers = SeededNumbers()
        let replacements =
            Array("{}[]\",:\\0129.eE+-truefalsn u\u{0}\u{1F}".utf8) + [0x80, 0xC3, 0xED, 0xFF]
        var accepted = 0
        for _ in 0..<20_000 {
            var document = Self.seedDocument
            for _ in 0..<1 + numbers.below(3) {
                let place = numbers.below(document.count)
                switch numbers.below(4) {
                case 0: document.remove(at: place)
                case 1: document.insert(replacements[numbers.below(replacements.count)], at: place)
                case 2:
                    document.removeSubrange(place..<min(document.count, place + numbers.below(20)))
                default: document[place] = replacements[numbers.below(replacements.count)]
                }
                if document.isEmpty { document = [0x20] }
            }
            let (read, skipped) = (
                Self.outcome(document) { _ = try $0.value() },
                Self.outcome(document) { try $0.skipValue() }
            )
            if read == nil { accepted += 1 }
            if read != skipped {
                Issue.record(
                    "\(String(decoding: document, as: UTF8.self)), seed \(numbers.seed)")
            }
        }
        #expect(accepted > 100)
    }

    /// The error of a walk over a whole document; nil where there is none.
    private static func outcome(
        _ document: [UInt8], _ walk: (inout JSONScanner) throws -> Void
    ) -> JSONError? {
        document.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            do {
                try walk(&scanner)
                try scanner.end()
                return nil
            } catch {
                return error as? JSONError
            }
        }
    }

    @Test func givesTheMembersOneByOne() throws {
        var names: [String] = []
        try Array("{\"a\":[1,2],\"b\":{},\"c\":\"x\"}".utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            var name: [UInt8] = []
            try scanner.beginObject()
            while try scanner.nextMember(&name) {
                names.append(String(decoding: name, as: UTF8.self))
                try scanner.skipValue()
            }
            try scanner.end()
        }
        #expect(names == ["a", "b", "c"])
    }

    @Test func replacesWhatAStringsBufferHeld() throws {
        let text: [UInt8] = try Array("\"new\"".utf8).withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            var text = Array("something old".utf8)
            try scanner.string(into: &text)
            return text
        }
        #expect(text == Array("new".utf8))
    }
}
