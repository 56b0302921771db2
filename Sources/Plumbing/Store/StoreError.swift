package import Objects

/// Why something of a store could not be read.
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
    /// A tag's signature: what it is worth.
    case tagNotVerified(name: String, SignatureVerdict, key: String)
}
