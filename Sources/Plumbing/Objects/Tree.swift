import Encodings

// Trees: one object a folder. The document is read entry by entry, since one may hold a million of them.

/// What a tree's entry leads to.
package enum TreeTarget: Equatable {
    case blob(ObjectID, BlobFacts)
    case tree(ObjectID)

    package var id: ObjectID {
        switch self {
        case .blob(let id, _), .tree(let id): id
        }
    }

    package var kind: ObjectKind {
        switch self {
        case .blob: .blob
        case .tree: .tree
        }
    }
}

/// What an entry says of its blob.
///
/// All of it is the writer's claim: only opening the blob proves it.
package struct BlobFacts: Equatable {
    /// Bytes of plaintext.
    package var size: Int
    /// The first 12 hex digits of the plaintext's SHA-256; may be empty.
    package var contentHash: [UInt8]
    /// The media type; may be empty.
    package var mediaType: [UInt8]
    /// Whether the envelope is longer than 4,194,304 bytes.
    package var isLarge: Bool

    package init(size: Int, contentHash: [UInt8], mediaType: [UInt8], isLarge: Bool) {
        self.size = size
        self.contentHash = contentHash
        self.mediaType = mediaType
        self.isLarge = isLarge
    }
}

package struct TreeEntry: Equatable {
    package var name: EntryName
    package var target: TreeTarget

    package init(name: EntryName, target: TreeTarget) {
        self.name = name
        self.target = target
    }
}

/// The entries of one folder.
package struct Tree: Equatable {
    /// In stored order: as written by sgit all files by name, then all folders by name.
    package var entries: [TreeEntry]

    package init(entries: [TreeEntry]) {
        self.entries = entries
    }

    /// The order that a writer stores: all files by name, then all folders by name.
    package init(sorting entries: [TreeEntry]) {
        self.entries = entries.sorted { one, other in
            let kinds = (one.target.kind, other.target.kind)
            return kinds.0 == kinds.1 ? one.name < other.name : kinds.0 == .blob
        }
    }

    /// The entry of that name; of several the last, as sgit reads it.
    package func entry(named name: [UInt8]) -> TreeEntry? {
        entries.last { $0.name.bytes == name }
    }

    /// Reads the plaintext of a tree and opens its fields.
    ///
    /// Entries without a name, or without an id, are skipped; with both ids set the entry is a file. An id that is
    /// not null, empty or exactly of its form refuses the tree.
    /// - Throws: `JSONError`, `DocumentError`.
    /// - Source: docs/vault-format.md, "Tree".
    package static func decode(
        _ plaintext: ArraySlice<UInt8>, with cipher: EnvelopeCipher
    ) throws -> Tree {
        try plaintext.withUnsafeBytes { bytes in
            var decoder = TreeDecoder(bytes, cipher)
            return try decoder.decode()
        }
    }

    /// The exact text that sgit stores for these entries, in their order.
    package func encode(with cipher: EnvelopeCipher) -> [UInt8] {
        let entries = entries.map { entry -> JSONValue in
            let name = JSONValue.Member("name_enc", .string(cipher.sealField(entry.name.bytes)))
            switch entry.target {
            case .blob(let id, let facts):
                return .object([
                    .init("blob_id", .string(id.bytes)), .init("tree_id", .null), name,
                    .init("size_enc", .string(cipher.sealField(Array(String(facts.size).utf8)))),
                    .init("content_hash_enc", .string(cipher.sealField(facts.contentHash))),
                    .init("content_type_enc", .string(cipher.sealField(facts.mediaType))),
                    .init("large", .bool(facts.isLarge)),
                ])
            case .tree(let id):
                return .object([
                    .init("blob_id", .null), .init("tree_id", .string(id.bytes)), name,
                    .init("size_enc", .null), .init("content_hash_enc", .null),
                    .init("content_type_enc", .null), .init("large", .bool(false)),
                ])
            }
        }
        return JSONWriter.write(
            .object([.init("schema", .text("tree_v1")), .init("entries", .array(entries))]), .stored
        )
    }
}
