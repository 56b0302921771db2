import Encodings

/// A tag object: a signed name for a commit.
///
/// - Source: docs/vault-format.md, "Tag object".
package struct Tag: Equatable {
    package var schema: [UInt8]?
    package var name: TagName
    package var commit: ObjectID
    /// Clear text inside the envelope.
    package var message: [UInt8]
    package var branch: [UInt8]?
    package var key: [UInt8]?
    /// Base64 of r ‖ s.
    package var signature: [UInt8]?
    /// Milliseconds since 1970.
    package var time: Int

    /// The longest message, in characters.
    package static let longestMessage = 4096

    /// Reads the plaintext of a tag object.
    /// - Throws: `JSONError`, `DocumentError`.
    package static func decode(_ plaintext: ArraySlice<UInt8>) throws -> Tag {
        let document = try JSONReader.read(plaintext)
        guard case .object = document else { throw DocumentError.badMember("tag") }

        func text(_ name: StaticString) throws -> [UInt8]? {
            switch document[name] {
            case .string(let text): return text
            case .null, nil: return nil
            default: throw DocumentError.badMember(name)
            }
        }

        guard let name = try text("name").flatMap({ TagName($0) }) else {
            throw DocumentError.badMember("name")
        }
        guard let commit = try text("commit_id").flatMap({ ObjectID(DocumentRules.normalized($0)) })
        else { throw DocumentError.badMember("commit_id") }
        guard let time = document["timestamp_ms"].map(DocumentRules.time) ?? 0 else {
            throw DocumentError.badMember("timestamp_ms")
        }
        let schema = try text("schema")
        guard schema.map(DocumentRules.isSchema) ?? true else {
            throw DocumentError.badMember("schema")
        }
        let message = try text("message") ?? []
        guard message.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }),
            String(decoding: message, as: UTF8.self).unicodeScalars.count <= longestMessage
        else { throw DocumentError.badMember("message") }
        return Tag(
            schema: schema, name: name, commit: commit, message: message,
            branch: try text("tagger_branch"), key: try text("tagger_key_id"),
            signature: try text("signature"), time: time)
    }

    /// The exact text that sgit stores.
    package func encode() -> [UInt8] { JSONWriter.write(.object(members), .stored) }

    /// The members in stored order.
    var members: [JSONValue.Member] {
        func nullable(_ text: [UInt8]?) -> JSONValue { text.map { .string($0) } ?? .null }
        return [
            .init("schema", nullable(schema)), .init("name", .string(name.bytes)),
            .init("commit_id", .string(commit.bytes)), .init("message", .string(message)),
            .init("tagger_branch", nullable(branch)), .init("tagger_key_id", nullable(key)),
            .init("signature", nullable(signature)), .init("timestamp_ms", .integer(time)),
        ]
    }
}

/// The name of a tag: 1 to 100 of `[A-Za-z0-9._/-]`.
package struct TagName: Hashable {
    package let bytes: [UInt8]

    /// Nil unless the name can be stored.
    package init?(_ bytes: [UInt8]) {
        func isStorable(_ byte: UInt8) -> Bool {
            byte.isAlphanumeric || [0x2E, 0x2F, 0x5F, 0x2D].contains(byte)
        }
        guard (1...100).contains(bytes.count), bytes.allSatisfy(isStorable) else { return nil }
        self.bytes = bytes
    }

    /// Whether a new tag may have the name: what could be taken for an id, a path or `head` may not.
    package var isCreatable: Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes[0].isAlphanumeric && !looksLikeCommit && text.lowercased() != "head"
            && ![UInt8(ascii: "/"), UInt8(ascii: ".")].contains(bytes[bytes.count - 1])
            && !bytes.repeats(UInt8(ascii: ".")) && !bytes.repeats(UInt8(ascii: "/"))
    }

    /// Whether the name could be taken for an object id or the beginning of one.
    package var looksLikeCommit: Bool {
        let isHex = bytes.allSatisfy { byte in
            byte.isDigit || byte >= 0x41 && byte <= 0x46 || byte >= 0x61 && byte <= 0x66
        }
        return isHex && bytes.count >= 7 || bytes.starts(with: "obj-cas-imm-".utf8)
    }
}

extension [UInt8] {
    fileprivate func repeats(_ byte: UInt8) -> Bool {
        zip(self, dropFirst()).contains { $0 == byte && $1 == byte }
    }
}
