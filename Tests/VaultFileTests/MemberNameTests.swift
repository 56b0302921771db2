import Objects
import TestSupport
import Testing
import VaultFile

@Suite struct MemberNameTests {
    private static func name(_ text: String) -> MemberName? { MemberName(Array(text.utf8)) }

    /// `^bare/([a-z0-9][a-z0-9._-]{0,127}/){1,3}[a-z0-9][a-z0-9._-]{0,127}$`, written out.
    private static func matches(_ text: String) -> Bool {
        text.wholeMatch(
            of: #/bare/([a-z0-9][a-z0-9._\-]{0,127}/){1,3}[a-z0-9][a-z0-9._\-]{0,127}/#) != nil
    }

    @Test(arguments: [
        "bare/data/x", "bare/a/b/c/d", "bare/0/0", "bare/a.b/c-d_e", "bare/a./b", "bare/a../b",
    ])
    func takesTheNamesOfAStore(_ text: String) {
        #expect(Self.name(text)?.text == text)
        #expect(Self.matches(text))
    }

    @Test(arguments: [
        "", "bare", "bare/", "bare/x", "bare/x/", "bare//x", "bare/a/b/c/d/e", "Bare/a/b",
        "bar/a/b",
        "/bare/a/b", "bare/A/b", "bare/.a/b", "bare/a/.b", "bare/../b", "bare/a/..", "bare/-a/b",
        "bare/a/_b", "bare/a b/c", "bare/a/b\n", "bare/a/b\0", "bare\\a\\b", "bare/\u{E9}/b",
        "bare/a:b/c", "bare/a~1/c",
    ])
    func takesNoOther(_ text: String) {
        #expect(Self.name(text) == nil)
        #expect(!Self.matches(text))
    }

    @Test func countsTheCharactersOfAPart() {
        let longest = String(repeating: "a", count: 128)
        #expect(Self.name("bare/\(longest)/\(longest)/\(longest)/\(longest)") != nil)
        #expect(Self.name("bare/\(longest)a/b") == nil)
        #expect(Self.name("bare/a/\(longest)a") == nil)
    }

    @Test func agreesWithTheExpression() {
        var numbers = SeededNumbers()
        let letters = Array("ab0._-/A\0 ".utf8)
        for _ in 0..<3000 {
            let text =
                "bare/"
                + String(
                    decoding: (0..<numbers.below(12)).map { _ in letters[numbers.below(10)] },
                    as: UTF8.self)
            #expect(
                (Self.name(text) != nil) == Self.matches(text), "\(text), seed \(numbers.seed)")
        }
    }

    @Test func tellsItsParts() throws {
        let name = try #require(Self.name("bare/cache/files/x"))
        #expect(name.parts.folders == ["cache", "files"])
        #expect(name.parts.file == "x")
        #expect(try #require(Self.name("bare/a/b")) < (try #require(Self.name("bare/a/c"))))
    }

    @Test func tellsObjectsAndRefs() throws {
        let object = try #require(Self.name("bare/data/obj-cas-imm-0123456789ab"))
        #expect(object.object?.text == "obj-cas-imm-0123456789ab")
        #expect(object.ref == nil && !object.isInRefs)
        let ref = try #require(Self.name("bare/refs/ref-pid-muw-0123456789ab"))
        #expect(ref.ref == "ref-pid-muw-0123456789ab" && ref.isInRefs && ref.object == nil)
        let other = try #require(Self.name("bare/refs/other"))
        #expect(other.ref == nil && other.isInRefs)
        for text in [
            "bare/data/obj-cas-imm-0123", "bare/data/a/obj-cas-imm-0123456789ab",
            "bare/keys/obj-cas-imm-0123456789ab",
        ] {
            #expect(try #require(Self.name(text)).object == nil)
        }
    }
}
