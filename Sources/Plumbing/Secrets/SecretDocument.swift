package import Cryptography
package import Encodings

/// One secret: a JSON document, `sgit.ai/secret/v1`.
///
/// It is read leniently, since other programs write such documents too, and what this version does not know stays as it
/// is when the document is written anew.
/// - Source: docs/secrets.md, "The document".
package struct SecretDocument: Equatable {
    private var document: JSONValue

    /// In bytes; what is larger is an ordinary file.
    package static let limit = 1 << 20
    private static let schema: StaticString = "sgit.ai/secret/v1"

    /// A document as it is stored; nil for what is no secret.
    package init?(_ bytes: some ContiguousBytes) {
        guard bytes.withBytes({ $0.count }) <= SecretDocument.limit,
            let document = try? JSONReader.read(bytes),
            case .string? = document["title"],
            // What is there in another form could not be kept beside a field that is set.
            document["fields"].map({ if case .object = $0 { true } else { false } }) ?? true,
            document["schema"] == nil || document["schema"] == .text("\(SecretDocument.schema)")
        else { return nil }
        self.document = document
    }

    /// A new secret, with an id of its own.
    ///
    /// - Parameter time: RFC 3339.
    package init(kind: SecretKind, title: [UInt8], time: String, random: RandomBytes) {
        document = .object([
            .init("schema", .text("\(SecretDocument.schema)")),
            .init("id", .string(Hex.encode(random.bytes(8)))),
            .init("kind", .text(kind.name)), .init("title", .string(title)),
            .init("created_at", .text(time)), .init("updated_at", .text(time)),
            .init("fields", .object([])), .init("tags", .array([])), .init("notes", .text("")),
        ])
    }

    /// As it is stored.
    package var bytes: [UInt8] { JSONWriter.write(document, .stored) }

    // MARK: - What it says

    /// What stays when all else changes; empty where the writer gave it none.
    package var id: [UInt8] { text("id") }
    package var kind: [UInt8] { text("kind") }
    package var title: [UInt8] { text("title") }
    package var notes: [UInt8] { text("notes") }
    package var createdAt: [UInt8] { text("created_at", "createdAt") }
    package var updatedAt: [UInt8] { text("updated_at", "updatedAt") }

    package var tags: [[UInt8]] {
        (document["tags"]?.elements ?? []).compactMap {
            if case .string(let tag) = $0 { tag } else { nil }
        }
    }

    /// The fields in their order, each once; of what is no string, how it is written.
    package var fields: [(name: [UInt8], value: [UInt8])] {
        var fields: [(name: [UInt8], value: [UInt8])] = []
        for member in document["fields"]?.members ?? [] {
            let value: [UInt8]
            if case .string(let text) = member.value {
                value = text
            } else {
                value = JSONWriter.write(member.value, .stored)
            }
            if let place = fields.firstIndex(where: { $0.name == member.name }) {
                fields[place].value = value
            } else {
                fields.append((member.name, value))
            }
        }
        return fields
    }

    /// The value of a field; nil where it has none of that name.
    package func field(_ name: [UInt8]) -> [UInt8]? { fields.first { $0.name == name }?.value }

    /// Whether a field's value is shown only where it was asked for: by its name, and in a kind that is not known always.
    package func hides(_ field: [UInt8]) -> Bool {
        SecretKind.named(kind) == nil || SecretKind.hides(field)
    }

    private func text(_ names: StaticString...) -> [UInt8] {
        for name in names {
            if case .string(let text)? = document[name] { return text }
        }
        return []
    }

    // MARK: - Changing it

    package mutating func setTitle(_ title: [UInt8]) { document.set("title", .string(title)) }
    package mutating func setNotes(_ notes: [UInt8]) { document.set("notes", .string(notes)) }
    package mutating func setTags(_ tags: [[UInt8]]) {
        document.set("tags", .array(tags.map { .string($0) }))
    }

    package mutating func setField(_ name: [UInt8], _ value: [UInt8]) {
        var members = document["fields"]?.members.filter { $0.name != name } ?? []
        let place = document["fields"]?.members.lastIndex { $0.name == name }
        let member = JSONValue.Member(name: name, value: .string(value))
        members.insert(member, at: min(place ?? members.count, members.count))
        document.set("fields", .object(members))
    }

    package mutating func removeField(_ name: [UInt8]) {
        let members = document["fields"]?.members ?? []
        document.set("fields", .object(members.filter { $0.name != name }))
    }

    /// Puts the fields of a kind in its order, and others after them.
    package mutating func orderFields(as kind: SecretKind) {
        let members = document["fields"]?.members ?? []
        let known = kind.fields.compactMap { field in
            members.first { $0.name.elementsEqual(field.name.utf8) }
        }
        document.set(
            "fields", .object(known + members.filter { member in !known.contains(member) }))
    }

    /// Notes when it was changed, in the spelling that the document has.
    package mutating func touch(_ time: String) {
        if document["updated_at"] == nil, document["updatedAt"] != nil {
            document.set("updatedAt", .text(time))
        } else {
            document.set("updated_at", .text(time))
        }
    }

    // MARK: - Comparing

    /// The names of what differs from an older state, time apart: fields first, in the order of this one.
    package func changes(since old: SecretDocument) -> [[UInt8]] {
        let was = old.fields
        let now = fields
        var names = now.filter { field in
            !was.contains { $0.name == field.name && $0.value == field.value }
        }.map(\.name)
        names += was.map(\.name).filter { name in !now.contains { $0.name == name } }
        let times = ["updated_at", "updatedAt", "fields"]
        let members = document.members.map(\.name) + old.document.members.map(\.name)
        for name in members where !times.contains(where: { name.elementsEqual($0.utf8) }) {
            let values = [document, old.document].map { document in
                document.members.last { $0.name == name }?.value
            }
            if values[0] != values[1], !names.contains(name) { names.append(name) }
        }
        return names
    }
}
