import Encodings
package import Objects
import VaultKeys

/// The refs of a store: encrypted pointers, each holding one commit id.
///
/// - Source: docs/vault-format.md, "Ref".
package struct Refs {
    private let files: SealedFiles
    private let fileIDs: FileIDs

    /// The largest ref, in bytes of plaintext.
    package static let limit = 65_536

    init(_ layout: StoreLayout, cipher: EnvelopeCipher) {
        files = SealedFiles(folder: layout.refs, cipher: cipher)
        fileIDs = FileIDs(cipher.key)
    }

    package enum Content: Equatable {
        case absent
        /// A branch without a commit.
        case empty
        case head(ObjectID)

        /// The commit, where there is one.
        package var head: ObjectID? {
            if case .head(let id) = self { return id }
            return nil
        }
    }

    /// What the ref of that id holds.
    package func read(_ refID: String) throws -> Content {
        let isDerived = refID == fileIDs.mainRef || refID == fileIDs.firstCloneRef
        guard let plaintext = try files.read(refID, limit: Refs.limit, isDerived: isDerived) else {
            return .absent
        }
        do {
            return try Refs.decode(plaintext).map { .head($0) } ?? .empty
        } catch {
            throw StoreError.damaged(subject: refID, reason: error)
        }
    }

    /// The file of a ref as it is stored; nil where there is none.
    func stored(_ refID: String) throws -> [UInt8]? {
        try files.envelope(refID, limit: Refs.limit)
    }

    /// The ids of all refs, in order; other files of the folder are passed over.
    package func ids() throws -> [String] {
        try files.names().filter { DocumentRules.isRefID(Array($0.utf8)) }
    }

    /// Reads the plaintext of a ref; nil for a branch without a commit.
    /// - Throws: `JSONError`, `DocumentError`.
    package static func decode(_ plaintext: ArraySlice<UInt8>) throws -> ObjectID? {
        let document = try JSONReader.read(plaintext)
        guard case .object = document else { throw DocumentError.badMember("ref") }
        switch document["commit_id"] {
        case nil, .null: return nil
        case .string(let stored):
            let text = DocumentRules.normalized(stored)
            if text.isEmpty { return nil }
            guard let id = ObjectID(text) else { throw DocumentError.badMember("commit_id") }
            return id
        default: throw DocumentError.badMember("commit_id")
        }
    }

    /// The exact text that sgit stores.
    package static func encode(_ head: ObjectID) -> [UInt8] {
        JSONWriter.write(.object([.init("commit_id", .string(head.bytes))]), .stored)
    }
}
