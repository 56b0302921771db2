import Cryptography
import FileSystem
package import Objects

/// The name of an object or of a public key: of a file that has one name and one content for ever.
package enum UnionName: Hashable, Comparable {
    /// A file of `keys`: 8 to 64 hex digits that are no hash.
    case key([UInt8])
    /// A file of `data`.
    case object(ObjectID)

    /// Nil for a file that is neither.
    ///
    /// - Parameter file: its name without folders.
    package init?(_ file: [UInt8]) {
        if let object = ObjectID(file) {
            self = .object(object)
        } else if DocumentRules.isKeyID(file) {
            self = .key(file)
        } else {
            return nil
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .key(let name): name
        case .object(let id): id.bytes
        }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package static func < (one: UnionName, other: UnionName) -> Bool {
        switch (one, other) {
        case (.key(let one), .key(let other)): one.lexicographicallyPrecedes(other)
        case (.object(let one), .object(let other)): one < other
        // As their texts: `key-` and `obj-`.
        case (.key, .object): true
        case (.object, .key): false
        }
    }

    /// The part of a store that it belongs into.
    var part: StoreLayout.Part {
        switch self {
        case .key: .keys
        case .object: .objects
        }
    }

    /// The largest file taken, in bytes.
    package var limit: Int {
        let plaintext =
            switch self {
            case .key: PublicKeys.limit
            case .object: ObjectLimit.blob
            }
        return plaintext + EnvelopeLayout.overhead + EnvelopeLayout.magicCount
    }

    /// The digest of a copy that is sound, as far as that can be told without a key.
    ///
    /// - Throws: `StoreError.nameMismatch` for an object of another name; `.damaged` for a key that is too short for an
    ///   envelope.
    func digest(ofSound copy: [UInt8]) throws(StoreError) -> SHA256Digest {
        let digest = SHA256.digest(copy)
        switch self {
        case .object(let id):
            guard id.names(digest) else { throw .nameMismatch(id) }
        case .key:
            guard EnvelopeLayout(copy) != nil else {
                throw .damaged(subject: text, reason: EnvelopeError.truncated)
            }
        }
        return digest
    }
}

/// Where copies of objects and public keys come from.
package protocol UnionSource {
    /// What it is called in messages.
    var name: String { get }
    /// The objects and keys that it holds, in any order.
    func names() throws -> [UnionName]
    /// The bytes of one as they are stored; whether they are what the name says, the union checks.
    ///
    /// - Throws: `StoreError.damaged` or `.tooLarge` for a copy that is broken in itself, which yields to a sound one;
    ///   anything else ends the union.
    func bytes(of name: UnionName) throws -> [UInt8]
}

/// The objects and public keys of a store in a folder.
package final class StoreFiles: UnionSource {
    package let name: String
    private let layout: StoreLayout
    private var folders: [StoreLayout.Part: Folder] = [:]

    /// - Parameter name: what the store is called in messages.
    package init(_ layout: StoreLayout, name: String) {
        self.layout = layout
        self.name = name
    }

    package func names() throws -> [UnionName] {
        try [StoreLayout.Part.keys, .objects].flatMap { part in
            // An empty store need not have all folders.
            guard try hasFolder(part) else { return [] as [UnionName] }
            return try folder(part).names().compactMap { UnionName(Array($0.utf8)) }
                .filter { $0.part == part }
        }
    }

    package func bytes(of name: UnionName) throws -> [UInt8] {
        do throws(FileError) {
            return try folder(name.part).read(name.text, limit: name.limit)
        } catch {
            switch error {
            case .tooLarge(_, _, let limit):
                throw StoreError.tooLarge(subject: name.text, limit: limit)
            case .notRegular: throw StoreError.damaged(subject: name.text, reason: error)
            case .notFound, .system, .held: throw error
            }
        }
    }

    private func hasFolder(_ part: StoreLayout.Part) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try folder(part)
            return true
        } catch {
            guard case .notFound = error else { throw error }
            return false
        }
    }

    private func folder(_ part: StoreLayout.Part) throws(FileError) -> Folder {
        if let folder = folders[part] { return folder }
        let opened = try Folder(layout.bare + "/" + part.rawValue)
        folders[part] = opened
        return opened
    }
}
