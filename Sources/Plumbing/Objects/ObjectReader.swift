/// The kinds of object.
package enum ObjectKind: String {
    case blob
    case tree
    case commit
    case tag
}

/// Objects by name: all that history and merging see of a store.
///
/// It has no path, no key and no clock.
///
/// A caller asks for the kind it needs, told by where it found the id; the plaintext of a person's file may imitate
/// any document.
package protocol ObjectReader {
    func contains(_ id: ObjectID) throws -> Bool
    func commit(_ id: ObjectID) throws -> Commit
    /// The parents of a commit: all that a walk reads of one, at half the cost of the whole.
    func parents(of id: ObjectID) throws -> [ObjectID]
    func tree(_ id: ObjectID) throws -> Tree
    /// The plaintext of a blob.
    func blob(_ id: ObjectID) throws -> ArraySlice<UInt8>
}

/// The largest plaintext that is taken into memory, in bytes, by kind.
package enum ObjectLimit {
    /// 2 GiB.
    package static let blob = 1 << 31
    /// 512 MiB: more than a million entries.
    package static let tree = 1 << 29
    /// 16 MiB, for commits and tags.
    package static let document = 1 << 24

    package static func largest(_ kind: ObjectKind) -> Int {
        switch kind {
        case .blob: blob
        case .tree: tree
        case .commit, .tag: document
        }
    }
}
