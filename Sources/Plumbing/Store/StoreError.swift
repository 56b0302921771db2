package import Objects

/// Why something of a store could not be read or written.
package enum StoreError: Error {
    /// No object of that name.
    case missing(ObjectID)
    /// The file's bytes hash to another name.
    case nameMismatch(ObjectID)
    /// The name is right and the seal does not fit, while nothing has opened with this key.
    case keyDoesNotFit(subject: String)
    /// What is sound by name, or lies where only this key points, is not what it must be.
    case damaged(subject: String, reason: any Error)
    /// A document is larger than its bound, in bytes.
    case tooLarge(subject: String, limit: Int)
    /// The files of the store have other names than this key gives: it belongs to another vault.
    case foreignKey
    /// There is no branch index.
    case noIndex
    /// There are neither refs nor an index.
    case emptyStore
    /// The branch index asks for a newer client.
    case needsClient(String)
    /// The branch index has a format that this release cannot write.
    case needsFormat(Int)
    /// A file of that name is there and holds other bytes than those to be written.
    case nameTaken(ObjectID)
    /// A ref holds another commit than was expected; nil where it holds none.
    case refMoved(ref: String, expected: ObjectID?, found: ObjectID?)
    /// No stored public key has that id.
    case noKey(id: String)
    /// What was given is no P-256 public key in PEM.
    case noPublicKey(source: String)
    /// An edit of the index that the format does not allow, in words.
    case editRefused(reason: String)
    /// The index lists a named branch of that name already.
    case branchExists(name: [UInt8])
    /// A tag's signature: what it is worth.
    case tagNotVerified(name: String, SignatureVerdict, key: String)
}
