import Encodings

/// A commit as it is stored: its known members with ids brought into their one form, unknown ones dropped.
///
/// Absent and null are told apart where the signed bytes differ, so optionals stand for null.
/// - Source: docs/vault-format.md, "Commit".
package struct Commit: Equatable {
    package var schema: [UInt8]?
    /// The root tree.
    package var tree: ObjectID
    /// Base64 of an envelope of the message; nil for no message.
    package var sealedMessage: [UInt8]?
    /// The clone branch that made it; empty where it is not of the grammar, which sgit reads the same way.
    package var branch: [UInt8]?
    /// Base64 of r ‖ s.
    package var signature: [UInt8]?
    package var authorKey: [UInt8]?
    package var authorSignature: [UInt8]?
    /// The parents as stored; nil stands for an item that is null or empty.
    package var parentItems: [ObjectID?]?
    /// Milliseconds since 1970, by the clock of the device that made it.
    package var time: Int?
    package var attestations: [[UInt8]]?

    package init(tree: ObjectID) {
        self.tree = tree
    }

    /// A new commit as sgit writes one, not signed yet.
    ///
    /// - Parameters:
    ///   - sealedMessage: base64 of an envelope of at most 740 bytes; nil for no message.
    ///   - branch: the clone branch that makes it; empty for none.
    ///   - time: milliseconds since 1970.
    package init(
        tree: ObjectID, parents: [ObjectID], sealedMessage: [UInt8]?, branch: [UInt8], time: Int
    ) {
        self.tree = tree
        schema = Array("commit_v1".utf8)
        self.sealedMessage = sealedMessage
        self.branch = branch
        parentItems = parents
        self.time = time
        attestations = []
    }

    /// First the head that the commit was made on; a merge lists theirs second.
    package var parents: [ObjectID] { (parentItems ?? []).compactMap { $0 } }

    /// Reads the plaintext of a commit.
    /// - Throws: `JSONError`, `DocumentError`.
    package static func decode(_ plaintext: ArraySlice<UInt8>) throws -> Commit {
        try plaintext.withUnsafeBytes { try decode(JSONScanner($0)) }
    }

    /// Reads only the parents, as a walk over many commits needs them; of the rest, that it is JSON with a tree.
    /// - Throws: `JSONError`, `DocumentError`.
    package static func decodeParents(_ plaintext: ArraySlice<UInt8>) throws -> [ObjectID] {
        try plaintext.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            var tree: ObjectID?
            var parents: [ObjectID] = []
            var name: [UInt8] = []
            var scratch: [UInt8] = []
            try scanner.beginObject()
            while try scanner.nextMember(&name) {
                if name.isEqual(to: "tree_id") {
                    tree = try id(&scanner, &scratch, "tree_id")
                } else if name.isEqual(to: "parents") {
                    parents = try parentItems(&scanner, &scratch)?.compactMap { $0 } ?? []
                } else {
                    try scanner.skipValue(&scratch)
                }
            }
            try scanner.end()
            guard tree != nil else { throw DocumentError.missingMember("tree_id") }
            return parents
        }
    }

    private static func decode(_ start: JSONScanner) throws -> Commit {
        var scanner = start
        var tree: ObjectID?
        var commit = Commit(tree: absentTree)
        commit.parentItems = []
        commit.time = 0
        commit.attestations = []
        var name: [UInt8] = []
        var scratch: [UInt8] = []

        func text(_ member: StaticString, limit: Int = EnvelopeCipher.largestField) throws
            -> [UInt8]?
        {
            try DocumentRules.readText(&scanner, into: &scratch, member, limit: limit)
                ? scratch.exactCopy : nil
        }

        try scanner.beginObject()
        while try scanner.nextMember(&name) {
            if name.isEqual(to: "tree_id") {
                tree = try id(&scanner, &scratch, "tree_id")
            } else if name.isEqual(to: "schema") {
                commit.schema = try text("schema")
                guard commit.schema.map(DocumentRules.isSchema) ?? true else {
                    throw DocumentError.badMember("schema")
                }
            } else if name.isEqual(to: "message_enc") {
                commit.sealedMessage = try text("message_enc")
            } else if name.isEqual(to: "branch_id") {
                commit.branch = try text("branch_id").map { stored in
                    if DocumentRules.isBranchID(stored) { return stored }
                    let branch = DocumentRules.normalized(stored)
                    return DocumentRules.isBranchID(branch) ? branch : []
                }
            } else if name.isEqual(to: "signature") {
                commit.signature = try text("signature", limit: 256)
            } else if name.isEqual(to: "author_key_id") {
                commit.authorKey = try text("author_key_id", limit: 128)
                let isKey = commit.authorKey?.allSatisfy {
                    $0.isWordCharacter || $0 == UInt8(ascii: ":")
                }
                guard isKey ?? true else { throw DocumentError.badMember("author_key_id") }
            } else if name.isEqual(to: "author_signature") {
                commit.authorSignature = try text("author_signature", limit: 256)
            } else if name.isEqual(to: "parents") {
                commit.parentItems = try parentItems(&scanner, &scratch)
            } else if name.isEqual(to: "timestamp_ms") {
                let value = try scanner.value()
                commit.time = DocumentRules.time(value)
                guard value == .null || commit.time != nil else {
                    throw DocumentError.badMember("timestamp_ms")
                }
            } else if name.isEqual(to: "attestations") {
                guard try beginList(&scanner, "attestations") else {
                    commit.attestations = nil
                    continue
                }
                var items: [[UInt8]] = []
                while try scanner.nextElement() {
                    items.append(try text("attestations", limit: 256) ?? [])
                }
                commit.attestations = items
            } else {
                try scanner.skipValue()
            }
        }
        try scanner.end()
        guard let tree else { throw DocumentError.missingMember("tree_id") }
        commit.tree = tree
        return commit
    }

    /// The message; empty where there is none.
    /// - Throws: `DocumentError` where its envelope is past 1,024 characters or does not open.
    package func message(with cipher: EnvelopeCipher) throws(DocumentError) -> [UInt8] {
        guard let sealedMessage, !sealedMessage.isEmpty else { return [] }
        var message: [UInt8] = []
        do throws(EnvelopeError) {
            try cipher.openField(sealedMessage, into: &message)
        } catch {
            throw .sealedMember("message_enc", error)
        }
        guard UTF8Text.isValid(message) else { throw .badMember("message_enc") }
        return message
    }

    /// The exact text that sgit stores.
    package func encode() -> [UInt8] { JSONWriter.write(.object(members), .stored) }

    /// The known members in stored order, absent ones filled in.
    var members: [JSONValue.Member] {
        [
            .init("schema", nullable(schema)), .init("tree_id", .string(tree.bytes)),
            .init("message_enc", nullable(sealedMessage)), .init("branch_id", nullable(branch)),
            .init("signature", nullable(signature)), .init("author_key_id", nullable(authorKey)),
            .init("author_signature", nullable(authorSignature)),
            .init(
                "parents",
                parentItems.map { .array($0.map { .string($0?.bytes ?? []) }) } ?? .null),
            .init("timestamp_ms", time.map { .integer($0) } ?? .null),
            .init("attestations", attestations.map { .array($0.map { .string($0) }) } ?? .null),
        ]
    }

    // MARK: - Values

    /// Stands in while a document is read; a commit without a tree is refused at its end.
    private static let absentTree = ObjectID(naming: [], width: .hex12)

    private func nullable(_ text: [UInt8]?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// The items of the list of parents; nil for null.
    private static func parentItems(
        _ scanner: inout JSONScanner, _ scratch: inout [UInt8]
    ) throws -> [ObjectID?]? {
        guard try beginList(&scanner, "parents") else { return nil }
        var items: [ObjectID?] = []
        while try scanner.nextElement() {
            items.append(try id(&scanner, &scratch, "parents"))
        }
        return items
    }

    /// Enters a list; false for null.
    private static func beginList(
        _ scanner: inout JSONScanner, _ name: StaticString
    ) throws -> Bool {
        switch try scanner.peek() {
        case UInt8(ascii: "["):
            try scanner.beginArray()
            return true
        case UInt8(ascii: "n"):
            try scanner.skipValue()
            return false
        default: throw DocumentError.badMember(name)
        }
    }

    /// An id, or nil for null and the empty string.
    private static func id(
        _ scanner: inout JSONScanner, _ scratch: inout [UInt8], _ name: StaticString
    ) throws -> ObjectID? {
        guard try DocumentRules.readText(&scanner, into: &scratch, name), !scratch.isEmpty else {
            return nil
        }
        if let id = ObjectID(scratch) { return id }
        let normalized = DocumentRules.normalized(scratch)
        if normalized.isEmpty { return nil }
        guard let id = ObjectID(normalized) else { throw DocumentError.badMember(name) }
        return id
    }
}
