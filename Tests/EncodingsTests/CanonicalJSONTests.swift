import Encodings
import Testing

@Suite struct CanonicalJSONTests {
    private static func error(_ text: String) -> CanonicalJSONError? {
        do throws(CanonicalJSONError) {
            _ = try CanonicalJSON.read(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "{}\n", "[]\n", "null\n", "{\"a\":[0,1,true,false,null],\"b\":\"é\\\"\\\\/\"}\n",
        "{\"a\":9007199254740991}\n", "[[[[[[[[]]]]]]]]\n", "{\"a-b\":1,\"a.b\":2,\"a_b\":3}\n",
        "\"\u{A0}\u{2028}\"\n",
    ])
    func readsWhatIsCanonical(_ text: String) {
        #expect(Self.error(text) == nil)
    }

    @Test(arguments: [
        "{}", "{}\n\n", " {}\n", "{} \n", "{\"a\": 1}\n", "{\"b\":1,\"a\":2}\n",
        "{\"a\":1,\"a\":1}\n", "\"\\u0061\"\n", "\"\\/\"\n",
    ])
    func refusesOtherBytesOfADocument(_ text: String) {
        #expect(Self.error(text) == .otherBytes)
    }

    @Test(arguments: [
        "-1\n", "1.0\n", "1e3\n", "-0\n", "9007199254740992\n", "{\"A\":1}\n", "{\"\":1}\n",
        "\"\\n\"\n", "\"\u{7F}\"\n", "\"\u{85}\"\n", "[[[[[[[[[]]]]]]]]]\n",
        "{\"\(String(repeating: "a", count: 65))\":1}\n",
    ])
    func refusesWhatTheFormDoesNotHave(_ text: String) {
        #expect(Self.error(text) == .unusable)
    }

    @Test(arguments: ["", "{", "{}x", "\"\u{1}\"\n", "{}\n{}\n"])
    func refusesWhatIsNoDocument(_ text: String) throws {
        guard case .malformed = try #require(Self.error(text)) else {
            Issue.record("\(text)")
            return
        }
    }

    @Test func membersAreSortedByByteAtEveryDepth() {
        let value = JSONValue.object([
            .init(
                "b", .array([.object([.init("z", .null), .init("a-", .null), .init("a", .null)])])),
            .init("a", .integer(1)),
        ])
        #expect(
            String(decoding: CanonicalJSON.encode(value), as: UTF8.self)
                == "{\"a\":1,\"b\":[{\"a\":null,\"a-\":null,\"z\":null}]}\n")
    }
}
