import Objects
import Plumbing
import TestSupport
import Testing

@Suite struct ObjectNameTests {
    private static let id = "obj-cas-imm-0123456789ab"
    private static let long = "obj-cas-imm-0123456789abcdef0123456789abcdef"

    /// A name in words: its base, then its steps.
    private static func parsed(_ text: String) -> String? {
        guard let name = ObjectName(Array(text.utf8)) else { return nil }
        func show(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        var words: [String]
        switch name.base {
        case .id(let id): words = ["id \(id.text)"]
        case .head: words = ["head"]
        case .text(let text): words = ["text \(show(text))"]
        }
        for step in name.steps {
            switch step {
            case .ancestor(let count): words.append("~\(count)")
            case .parent(let number): words.append("^\(number)")
            case .tree: words.append("tree")
            case .path(let path): words.append("path \(show(path))")
            }
        }
        return words.joined(separator: ", ")
    }

    @Test(arguments: [
        (id, "id \(id)"), (long, "id \(long)"), ("@", "head"), ("current", "text current"),
        ("v1.0", "text v1.0"), ("release/2.0", "text release/2.0"), ("0123", "text 0123"),
        ("@x", "text @x"),
        (id + "~", "id \(id), ~1"), ("@~3", "head, ~3"), ("@~0", "head, ~0"), ("@^", "head, ^1"),
        ("@^2", "head, ^2"), ("@^0", "head, ^0"), ("@^^", "head, ^1, ^1"),
        ("@~2^2~1", "head, ~2, ^2, ~1"),
        ("@^{tree}", "head, tree"), ("@~1^{tree}", "head, ~1, tree"),
        ("@~99999999999999999999", "head, ~9223372036854775807"), ("@:", "head, path "),
        ("@:a/b", "head, path a/b"), ("@~1:a", "head, ~1, path a"),
        ("@^{tree}:a", "head, tree, path a"),
        ("@:a~1", "head, path a~1"), ("@:a:b", "head, path a:b"),
        ("@:^{tree}", "head, path ^{tree}"),
        ("current:caf\u{E9}", "text current, path caf\u{E9}"), (id + ":x", "id \(id), path x"),
        ("\u{E9}", "text \u{E9}"), (" ", "text  "), ("-x", "text -x"),
    ])
    func parsesAName(text: String, parts: String) {
        #expect(Self.parsed(text).map { Array($0.utf8) } == Array(parts.utf8))
    }

    @Test(arguments: [
        "", "~", "~1", "^", ":x", ":", "@~x", "@^x", "@^{commit}", "@^{tree", "@~1x", "@^{tree}x",
        "@~-1", "@^{}", "x~ ",
    ])
    func refusesAnotherForm(text: String) {
        #expect(Self.parsed(text) == nil)
    }

    @Test(arguments: [
        ("0123", "0123"), ("abcdef", "abcdef"), ("obj-cas-imm-0123", "0123"), ("012", nil),
        ("obj-cas-imm-012", nil), ("ABCD", nil), ("0123g", nil), ("current", nil),
        ("face~1", "face"),
        (String(repeating: "a", count: 32), String(repeating: "a", count: 32)),
        (String(repeating: "a", count: 33), nil), (id, nil), ("@", nil), ("obj-cas-imm-", nil),
    ])
    func knowsTheBeginningOfAnID(text: String, digits: String?) throws {
        let name = try #require(ObjectName(Array(text.utf8)))
        #expect(name.prefixDigits == digits.map { Array($0.utf8) })
    }

    @Test func keepsTheTextAsItWasWritten() {
        #expect(ObjectName([0x40, 0x3A, 0xFF])?.text == [0x40, 0x3A, 0xFF])
    }
}

@Suite struct RecordFormatTests {
    private static func fill(_ format: String) -> String? {
        let format = RecordFormat<String>(Array(format.utf8)) {
            ["id", "size"].contains($0) ? $0 : nil
        }
        return format.map { String(decoding: $0.fill { Array("<\($0)>".utf8) }, as: UTF8.self) }
    }

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("%(id)", "<id>"), ("%(id) %(size)", "<id> <size>"),
        ("a%(id)b", "a<id>b"),
        ("%%", "%"), ("%%(id)", "%(id)"), ("%%%(id)", "%<id>"), ("%x41%x0a", "A\n"),
        ("%x00", "\u{0}"),
        ("%(id)%(id)", "<id><id>"), ("(id)", "(id)"), (")", ")"), ("\u{E9}", "\u{E9}"),
        ("%x411", "A1"),
    ])
    func fillsAFormat(format: String, record: String) {
        #expect(Self.fill(format) == record)
    }

    @Test(arguments: [
        "%", "a%", "%a", "%(", "%()", "%(id", "%(other)", "%(ID)", "%( id)", "%x", "%x4", "%x4g",
        "%xAB", "% (id)",
        "%\u{E9}",
    ])
    func refusesAnotherForm(format: String) {
        #expect(Self.fill(format) == nil)
    }

    @Test func passesOnWhatAnAtomThrows() throws {
        struct Refused: Error {}
        let format = try #require(RecordFormat<Int>(Array("a%(x)".utf8)) { _ in 1 })
        #expect(throws: Refused.self) { try format.fill { _ throws in throw Refused() } }
    }
}
