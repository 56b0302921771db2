import Cryptography
import Encodings
import Secrets
import Testing

@Suite struct SecretDocumentTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func document(_ text: String) throws -> SecretDocument {
        try #require(SecretDocument(bytes(text)))
    }

    private func written(_ document: SecretDocument) -> String {
        String(decoding: document.bytes, as: UTF8.self)
    }

    // MARK: - Reading

    @Test(arguments: [
        "", "[]", "{}", "null", "Caf\u{e9}", #"{"title":1}"#, #"{"title":null,"fields":{}}"#,
        #"{"title":"t","schema":"sgit.ai/secret/v2"}"#, #"{"title":"t","schema":1}"#,
        #"{"title":"t""#, #"{"title":"t","fields":["keep"]}"#, #"{"title":"t","fields":null}"#,
        String(repeating: "[", count: 5000),
    ])
    func isNone(text: String) {
        #expect(SecretDocument(bytes(text)) == nil)
    }

    @Test func isReadLeniently() throws {
        let secret = try document(
            #"{"createdAt":"then","updatedAt":"now","title":"T","fields":{"a":"1","n":1.50,"b":true,"o":{"p":[null]}}}"#
        )
        #expect(secret.title == bytes("T") && secret.id.isEmpty && secret.kind.isEmpty)
        #expect(secret.createdAt == bytes("then") && secret.updatedAt == bytes("now"))
        #expect(secret.tags.isEmpty && secret.notes.isEmpty)
        let values = secret.fields.map { String(decoding: $0.value, as: UTF8.self) }
        #expect(values == ["1", "1.50", "true", #"{"p": [null]}"#])
    }

    @Test func aMemberThatStandsTwiceCountsOnce() throws {
        let secret = try document(#"{"title":"a","title":"b","fields":{"x":"1","x":"2"}}"#)
        #expect(secret.title == bytes("b"))
        #expect(secret.fields.map(\.value) == [bytes("2")])
    }

    // MARK: - Writing

    @Test func aNewOneHasTheMembersInTheirOrder() throws {
        let kind = try #require(SecretKind.named(bytes("login")))
        var secret = SecretDocument(
            kind: kind, title: bytes("Bank"), time: "2026-12-01T00:00:00Z", random: .system)
        secret.setField(bytes("note"), bytes("n"))
        secret.setField(bytes("password"), bytes("p"))
        secret.setField(bytes("username"), bytes("u"))
        secret.orderFields(as: kind)
        let id = String(decoding: secret.id, as: UTF8.self)
        #expect(
            id.utf8.count == 16 && id.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) })
        #expect(
            written(secret)
                == #"{"schema": "sgit.ai/secret/v1", "id": "\#(id)", "kind": "login", "title": "Bank", "created_at": "2026-12-01T00:00:00Z", "updated_at": "2026-12-01T00:00:00Z", "fields": {"username": "u", "password": "p", "note": "n"}, "tags": [], "notes": ""}"#
        )
    }

    @Test func whatIsNotKnownStaysInItsPlace() throws {
        let text =
            #"{"x-new": {"a": [1, null]}, "title": "T", "fields": {"one": "1", "two": 2, "three": "3"}, "updatedAt": "then", "last": 1e400}"#
        var secret = try document(text)
        #expect(written(secret) == text)
        secret.setField(bytes("two"), bytes("II"))
        secret.touch("now")
        #expect(
            written(secret)
                == #"{"x-new": {"a": [1, null]}, "title": "T", "fields": {"one": "1", "two": "II", "three": "3"}, "updatedAt": "now", "last": 1e400}"#
        )
        secret.removeField(bytes("one"))
        secret.removeField(bytes("none"))
        #expect(secret.fields.map(\.name) == [bytes("two"), bytes("three")])
        secret.setField(bytes("four"), bytes("4"))
        #expect(secret.fields.map(\.name).last == bytes("four"))
    }

    @Test func aTimeIsAddedWhereThereIsNone() throws {
        var secret = try document(#"{"title":"T"}"#)
        secret.touch("now")
        secret.setField(bytes("a"), bytes("1"))
        #expect(written(secret) == #"{"title": "T", "updated_at": "now", "fields": {"a": "1"}}"#)
    }

    // MARK: - Hiding and comparing

    @Test func hidesByNameAndInAnUnknownKindAll() throws {
        let login = try document(#"{"title":"T","kind":"login"}"#)
        #expect(
            ["password", "Password", "TOTP", "pin", "codes"].allSatisfy { login.hides(bytes($0)) })
        #expect(!["username", "url", "passwords", ""].contains { login.hides(bytes($0)) })
        for text in [#"{"title":"T","kind":"x-new"}"#, #"{"title":"T"}"#] {
            #expect(try document(text).hides(bytes("username")))
        }
    }

    @Test func tellsWhatChanged() throws {
        let old = try document(
            #"{"title":"T","updated_at":"1","tags":["a"],"fields":{"a":"1","b":"2","c":"3"}}"#)
        var new = old
        #expect(new.changes(since: old).isEmpty)
        new.touch("2")
        #expect(new.changes(since: old).isEmpty)
        new.setField(bytes("b"), bytes("II"))
        new.setField(bytes("d"), bytes("4"))
        new.removeField(bytes("a"))
        new.setTitle(bytes("U"))
        new.setTags([bytes("a"), bytes("b")])
        new.setNotes(bytes("n"))
        #expect(
            new.changes(since: old).map { String(decoding: $0, as: UTF8.self) }
                == ["b", "d", "a", "title", "tags", "notes"])
    }
}
