import Cryptography
package import FileSystem
package import Objects

/// The objects of a store, one file each below `data`.
///
/// An object's name is checked before its seal: a wrong hash is damage whoever holds the key.
package final class LooseObjects: ObjectReader {
    package let cipher: EnvelopeCipher?
    private let folder: Folder?
    /// The last listing, and when the folder had last changed then.
    private var listed: (changed: Folder.ChangeTime, ids: [ObjectID])?

    /// - Parameters:
    ///   - folder: the `data` folder; nil where the store has none, which is a store without objects.
    ///   - cipher: nil where only envelopes are looked at.
    package init(_ layout: StoreLayout, cipher: EnvelopeCipher?) throws(FileError) {
        self.cipher = cipher
        do throws(FileError) {
            folder = try Folder(layout.objects)
        } catch {
            guard case .notFound = error else { throw error }
            folder = nil
        }
    }

    package func contains(_ id: ObjectID) throws -> Bool {
        try folder?.contains(id.text) ?? false
    }

    /// The size of the stored envelope, in bytes.
    package func storedSize(_ id: ObjectID) throws -> Int {
        do throws(FileError) {
            guard let folder else { throw .notFound(path: id.text) }
            return try folder.size(of: id.text)
        } catch {
            throw translated(error, id)
        }
    }

    /// The envelope as stored, its name checked.
    package func envelope(_ id: ObjectID, limit: Int = ObjectLimit.blob) throws -> [UInt8] {
        if let bytes = id.withFileName({ folder?.readAtOnce($0) ?? nil }),
            id.names(SHA256.digest(bytes))
        {
            return bytes
        }
        // Large, absent, or not what it should be.
        let bytes: [UInt8]
        do throws(FileError) {
            guard let folder else { throw .notFound(path: id.text) }
            bytes = try folder.read(
                id.text, limit: limit + EnvelopeLayout.overhead + EnvelopeLayout.magicCount)
        } catch {
            throw translated(error, id)
        }
        guard id.names(SHA256.digest(bytes)) else { throw StoreError.nameMismatch(id) }
        return bytes
    }

    /// The plaintext of an object of any kind.
    package func read(_ id: ObjectID, limit: Int = ObjectLimit.blob) throws -> ArraySlice<UInt8> {
        guard let cipher else { preconditionFailure("an object is opened without a key") }
        let hadOpened = cipher.hasOpened
        let envelope = try envelope(id, limit: limit)
        do throws(EnvelopeError) {
            return try cipher.open(envelope, limit: limit)
        } catch {
            switch error {
            case .tooLarge(let limit): throw StoreError.tooLarge(subject: id.text, limit: limit)
            case .notAuthentic where !hadOpened: throw StoreError.keyDoesNotFit(subject: id.text)
            default: throw StoreError.damaged(subject: id.text, reason: error)
            }
        }
    }

    package func commit(_ id: ObjectID) throws -> Commit {
        let plaintext = try read(id, limit: ObjectLimit.document)
        return try decoding(id) { try Commit.decode(plaintext) }
    }

    package func parents(of id: ObjectID) throws -> [ObjectID] {
        let plaintext = try read(id, limit: ObjectLimit.document)
        return try decoding(id) { try Commit.decodeParents(plaintext) }
    }

    package func tag(_ id: ObjectID) throws -> Tag {
        let plaintext = try read(id, limit: ObjectLimit.document)
        return try decoding(id) { try Tag.decode(plaintext) }
    }

    package func tree(_ id: ObjectID) throws -> Tree {
        guard let cipher else { preconditionFailure("an object is opened without a key") }
        let plaintext = try read(id, limit: ObjectLimit.tree)
        return try decoding(id) { try Tree.decode(plaintext, with: cipher) }
    }

    package func blob(_ id: ObjectID) throws -> ArraySlice<UInt8> { try read(id) }

    /// Reads plaintext of this store as the kind that it is known to be.
    package func decode(
        _ plaintext: ArraySlice<UInt8>, as kind: ObjectKind, _ id: ObjectID
    ) throws -> DecodedObject {
        guard let cipher else { preconditionFailure("an object is opened without a key") }
        return try decoding(id) { try DecodedObject(plaintext, as: kind, with: cipher) }
    }

    /// The message of a commit that this store holds under `id`.
    package func message(of commit: Commit, _ id: ObjectID) throws -> [UInt8] {
        guard let cipher else { preconditionFailure("a message is opened without a key") }
        return try decoding(id) { try commit.message(with: cipher) }
    }

    /// All ids, in order; other files of the folder are passed over.
    package func ids() throws -> [ObjectID] {
        guard let folder else { return [] }
        let changed = try folder.changeTime()
        if let listed, listed.changed == changed { return listed.ids }
        let ids = try folder.names().compactMap { ObjectID(Array($0.utf8)) }.sorted()
        listed = (changed, ids)
        return ids
    }

    /// The first ids, at most `limit`, whose hex digits begin with `digits`, in order.
    package func ids(beginning digits: [UInt8], limit: Int) throws -> [ObjectID] {
        let ids = try ids()
        let prefixCount = ObjectID.prefix.utf8CodeUnitCount
        func precedes(_ id: ObjectID) -> Bool {
            id.bytes.dropFirst(prefixCount).lexicographicallyPrecedes(digits)
        }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(ids[middle]) { low = middle + 1 } else { high = middle }
        }
        return Array(
            ids[low...].prefix(limit).prefix {
                $0.bytes.dropFirst(prefixCount).starts(with: digits)
            })
    }

    // MARK: -

    private func decoding<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw StoreError.damaged(subject: id.text, reason: error)
        }
    }

    private func translated(_ error: FileError, _ id: ObjectID) -> any Error {
        switch error {
        case .notFound: StoreError.missing(id)
        case .tooLarge(_, _, let limit): StoreError.tooLarge(subject: id.text, limit: limit)
        case .notRegular: StoreError.damaged(subject: id.text, reason: error)
        case .system, .held: error
        }
    }
}
