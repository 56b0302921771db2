import Encodings
import Objects

extension BranchIndex {
    /// Reads the plaintext of an index.
    ///
    /// A branch of a bad form refuses the whole index; a tag entry of one is carried.
    /// - Throws: `JSONError`, `DocumentError`.
    package static func decode(_ plaintext: ArraySlice<UInt8>) throws -> BranchIndex {
        let document = try JSONReader.read(plaintext)
        guard case .object = document else { throw DocumentError.badMember("index") }
        let schema = try text(document, "schema")
        guard schema.map(DocumentRules.isSchema) ?? true else {
            throw DocumentError.badMember("schema")
        }
        let format: Int?
        switch document["format"] {
        case nil, .null: format = nil
        case let value?:
            // Any number is read; what is no number refuses the index, as in sgit.
            guard let number = value.wholeNumber, number >= 0 else {
                throw DocumentError.badMember("format")
            }
            format = number
        }
        let features = try list(document, "features").map { feature in
            guard case .string(let name) = feature else {
                throw DocumentError.badMember("features")
            }
            return name
        }
        let gate = FormatGate(
            format: format, minimumClient: try text(document, "min_client"),
            features: features)
        return BranchIndex(
            gate: gate, branches: try list(document, "branches").map(branch),
            tags: try list(document, "tags").map(tagEntry), document: document)
    }

    private static func branch(_ stored: JSONValue) throws -> Branch {
        guard case .object = stored else { throw DocumentError.badMember("branches") }
        guard let id = try text(stored, "branch_id").map(DocumentRules.normalized),
            DocumentRules.isBranchID(id)
        else { throw DocumentError.badMember("branch_id") }
        guard let name = try text(stored, "name"), isBranchName(name) else {
            throw DocumentError.badMember("name")
        }
        guard let ref = try text(stored, "head_ref_id").map(DocumentRules.normalized),
            DocumentRules.isRefID(ref)
        else { throw DocumentError.badMember("head_ref_id") }
        let kindText = try text(stored, "branch_type").map { String(decoding: $0, as: UTF8.self) }
        guard let kind = Branch.Kind(rawValue: kindText ?? "named") else {
            throw DocumentError.badMember("branch_type")
        }
        let key = try nonEmpty(stored, "public_key_id").map(DocumentRules.normalized)
        guard key.map(DocumentRules.isKeyID) ?? true else {
            throw DocumentError.badMember("public_key_id")
        }
        let creator = try nonEmpty(stored, "creator_branch").map(DocumentRules.normalized)
        guard creator.map(DocumentRules.isBranchID) ?? true else {
            throw DocumentError.badMember("creator_branch")
        }
        let createdAt = stored["created_at"] ?? .integer(0)
        switch createdAt {
        case .number where DocumentRules.time(createdAt) != nil, .string, .null: break
        default: throw DocumentError.badMember("created_at")
        }
        return Branch(
            id: id, name: name, kind: kind, ref: ref, key: key, createdAt: createdAt,
            creator: creator,
            displayName: try text(stored, "display_name"))
    }

    /// An entry in every member as the format has it, or the whole of it to carry.
    private static func tagEntry(_ stored: JSONValue) -> TagEntry {
        let known: [StaticString] = ["name", "tag_id", "deleted", "timestamp_ms"]
        guard case .object(let members) = stored,
            members.allSatisfy({ member in known.contains { member.name.isEqual(to: $0) } }),
            case .string(let nameText)? = stored["name"], let name = TagName(nameText),
            !name.looksLikeCommit,
            case .string(let idText)? = stored["tag_id"], let object = ObjectID(idText),
            let time = stored["timestamp_ms"].flatMap(DocumentRules.time)
        else { return .carried(stored) }
        switch stored["deleted"] {
        case .bool(let isDeleted):
            return .entry(name: name, object: object, isDeleted: isDeleted, time: time)
        case nil, .null: return .entry(name: name, object: object, isDeleted: false, time: time)
        default: return .carried(stored)
        }
    }

    // MARK: - Members

    private static func text(_ document: JSONValue, _ name: StaticString) throws -> [UInt8]? {
        switch document[name] {
        case .string(let text): return text
        case .null, nil: return nil
        default: throw DocumentError.badMember(name)
        }
    }

    private static func nonEmpty(_ document: JSONValue, _ name: StaticString) throws -> [UInt8]? {
        try text(document, name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func list(_ document: JSONValue, _ name: StaticString) throws -> [JSONValue] {
        switch document[name] {
        case .array(let items): return items
        case .null, nil: return []
        default: throw DocumentError.badMember(name)
        }
    }

    /// `[A-Za-z0-9_-]{1,64}`.
    package static func isBranchName(_ name: [UInt8]) -> Bool {
        (1...64).contains(name.count) && name.allSatisfy(\.isWordCharacter)
    }
}
