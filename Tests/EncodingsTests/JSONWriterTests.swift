import Encodings
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    private static let controls = String(
        String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
    private static let text =
        controls
        + "\"\\/\u{7F}\u{80}\u{E9}\u{2028}\u{2029}\u{D7FF}\u{E000}\u{FFFF}\u{1F680}\u{10FFFF}"

    @Test func storesAStringAsPythonDoes() {
        // json.dumps(text)
        let expected =
            #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012"#
            + #"\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\"\\/\u007f\u0080"#
            + #"\u00e9\u2028\u2029\ud7ff\ue000\uffff\ud83d\ude80\udbff\udfff""#
        #expect(JSONWriter.write(.text(Self.text), .stored) == Array(expected.utf8))
    }

    @Test func writesACompactStringAsPythonDoes() {
        // json.dumps(text, ensure_ascii=False)
        let expected =
            #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012"#
            + #"\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\"\\/"#
            + "\u{7F}\u{80}\u{E9}\u{2028}\u{2029}\u{D7FF}\u{E000}\u{FFFF}\u{1F680}\u{10FFFF}\""
        #expect(JSONWriter.write(.text(Self.text), .compact) == Array(expected.utf8))
    }

    private static let document = JSONValue.object([
        .init("b", .integer(1)),
        .init(
            "a",
            .array([.bool(true), .bool(false), .null, .number(Array("-1500.0".utf8)), .text("x")])),
        .init("", .object([])), .init("e", .array([])),
    ])

    @Test func storesADocumentAsPythonDoes() {
        // json.dumps(document)
        let expected = #"{"b": 1, "a": [true, false, null, -1500.0, "x"], "": {}, "e": []}"#
        #expect(JSONWriter.write(Self.document, .stored) == Array(expected.utf8))
    }

    @Test func writesACompactDocumentAsPythonDoes() {
        // json.dumps(document, separators=(",", ":"))
        let expected = #"{"b":1,"a":[true,false,null,-1500.0,"x"],"":{},"e":[]}"#
        #expect(JSONWriter.write(Self.document, .compact) == Array(expected.utf8))
    }

    @Test func escapesTheNamesOfMembersToo() {
        let value = JSONValue.object([.init(name: Array("\u{E9}\"".utf8), value: .null)])
        #expect(JSONWriter.write(value, .stored) == Array(#"{"\u00e9\"": null}"#.utf8))
        #expect(JSONWriter.write(value, .compact) == Array("{\"\u{E9}\\\"\":null}".utf8))
    }

    @Test func escapesWhatStandsAloneInAPlainText() {
        for (character, escaped) in [
            ("\u{7F}", "\\u007f"), ("\u{1F}", "\\u001f"), ("\"", "\\\""), ("\\", "\\\\"),
        ] {
            #expect(JSONWriter.write(.text(character), .stored) == Array("\"\(escaped)\"".utf8))
        }
        #expect(JSONWriter.write(.text(" ~"), .stored) == Array("\" ~\"".utf8))
    }

    @Test func keepsTheSpellingsOfACharacterApart() {
        #expect(
            JSONWriter.write(.text("e\u{301}\u{E9}"), .stored) == Array(#""e\u0301\u00e9""#.utf8))
        #expect(JSONWriter.write(.text("e\u{301}"), .compact) == [0x22, 0x65, 0xCC, 0x81, 0x22])
    }

    @Test func writesBackEveryStoredDocumentThatItReads() throws {
        let rows = try Vectors.rows("json", "documents", count: 12)
        let documents = try rows.filter { !(try $0.text("kind").hasPrefix("blob")) }
        #expect(documents.count == 10)
        for row in documents {
            let text = try row.bytes("plaintext")
            #expect(JSONWriter.write(try JSONReader.read(text), .stored) == text)
        }
    }

    @Test func readsBackWhatItWritesInBothStyles() throws {
        var numbers = SeededNumbers()
        for _ in 0..<500 {
            let value = Self.randomValue(&numbers, depth: 0)
            #expect(
                try JSONReader.read(JSONWriter.write(value, .stored)) == value,
                "seed \(numbers.seed)")
            #expect(
                try JSONReader.read(JSONWriter.write(value, .compact)) == value,
                "seed \(numbers.seed)")
        }
    }

    private static func randomValue(_ numbers: inout SeededNumbers, depth: Int) -> JSONValue {
        switch numbers.below(depth < 4 ? 7 : 5) {
        case 0: return .null
        case 1: return .bool(numbers.below(2) == 0)
        case 2: return .integer(numbers.below(1000) - 500)
        case 3, 4: return .string(randomText(&numbers))
        case 5:
            return .array(
                (0..<numbers.below(4)).map { _ in randomValue(&numbers, depth: depth + 1) })
        default:
            return .object(
                (0..<numbers.below(4)).map { _ in
                    .init(
                        name: randomText(&numbers), value: randomValue(&numbers, depth: depth + 1))
                })
        }
    }

    private static func randomText(_ numbers: inout SeededNumbers) -> [UInt8] {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "\n", "\u{1}", "\u{7F}", "\u{E9}", "\u{301}", "\u{1F680}",
        ]
        return Array(
            String(
                String.UnicodeScalarView(
                    (0..<numbers.below(6)).map { _ in scalars[numbers.below(9)] })
            ).utf8)
    }
}

@Suite struct DecimalTests {
    @Test(arguments: [
        ("0", 0), ("00", 0), ("007", 7), ("42", 42), ("9223372036854775807", Int.max),
    ])
    func readsDigits(text: String, value: Int) {
        #expect(Decimal.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", "-", "-1", "+1", " 1", "1 ", "1.0", "1e3", "a", "9223372036854775808", "\u{661}",
    ])
    func refusesOtherTexts(text: String) {
        #expect(Decimal.parse(Array(text.utf8)) == nil)
    }

    @Test func readsASignWhereItMay() {
        #expect(Decimal.parse(Array("-12".utf8), allowingSign: true) == -12)
        #expect(Decimal.parse(Array("-".utf8), allowingSign: true) == nil)
        #expect(Decimal.parse(Array("--1".utf8), allowingSign: true) == nil)
        #expect(Decimal.parse(Array("+1".utf8), allowingSign: true) == nil)
    }
}
