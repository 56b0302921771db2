import Encodings
import TestSupport
import Testing

@Suite struct JSONValueTests {
    private static func read(_ text: String) throws -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.write(value, .compact), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{}"#, #"{"b":9}"#), (#"{"a":1}"#, #"{"a":1,"b":9}"#),
        (#"{"a":1,"b":2,"c":3}"#, #"{"a":1,"b":9,"c":3}"#),
        (#"{"b":null}"#, #"{"b":9}"#), (#"{"B":1,"bb":2,"":3}"#, #"{"B":1,"bb":2,"":3,"b":9}"#),
        (#"{"x":{"b":1}}"#, #"{"x":{"b":1},"b":9}"#),
    ])
    func setsAMemberInItsPlaceOrAtTheEnd(before: String, after: String) throws {
        var value = try Self.read(before)
        value.set("b", .integer(9))
        #expect(Self.text(value) == after)
        #expect(value["b"] == .integer(9))
    }

    @Test func setsAMemberThatStandsTwiceOnceWhereTheLastStood() throws {
        var value = try Self.read(#"{"b":1,"a":2,"b":3,"c":4}"#)
        value.set("b", .integer(9))
        #expect(Self.text(value) == #"{"a":2,"b":9,"c":4}"#)
    }

    @Test func keepsOtherMembersThatStandTwice() throws {
        var value = try Self.read(#"{"a":1,"a":2}"#)
        value.set("b", .null)
        #expect(Self.text(value) == #"{"a":1,"a":2,"b":null}"#)
    }

    @Test(arguments: ["null", "1", "[1]", "\"x\""])
    func makesAnObjectOfWhatIsNone(text: String) throws {
        var value = try Self.read(text)
        value.set("b", .bool(true))
        #expect(Self.text(value) == #"{"b":true}"#)
    }

    @Test func givesTheMembersOfAnObjectAndNoneOfAnythingElse() throws {
        let members = try Self.read(#"{"b":1,"a":2,"b":3}"#).members
        #expect(members.map(\.name) == [[0x62], [0x61], [0x62]])
        #expect(members.map(\.value) == [.integer(1), .integer(2), .integer(3)])
        for text in ["{}", "[]", "[{}]", "null", "1", "\"x\""] {
            #expect(try Self.read(text).members.isEmpty, "\(text)")
        }
    }

    @Test func givesTheElementsOfAnArrayAndNilOfAnythingElse() throws {
        #expect(try Self.read("[2,null,3]").elements == [.integer(2), .null, .integer(3)])
        #expect(try Self.read("[]").elements == [])
        for text in ["{}", "null", "1", "\"x\"", "{\"a\":[]}"] {
            #expect(try Self.read(text).elements == nil, "\(text)")
        }
    }
}
