package import Objects

/// The trees and blobs below commits, each once.
package struct ObjectWalk {
    private let objects: any ObjectReader
    /// By kind: an entry may call a blob what another calls a tree.
    private var seen: [ObjectKind: Set<ObjectID>] = [:]
    /// Is told of a tree that is not there, and may throw.
    package var onMissing: (ObjectID, any Error) throws -> Void = { throw $1 }

    package init(_ objects: any ObjectReader) {
        self.objects = objects
    }

    /// Calls `visit` for the tree and what lies below it, as far as it was not met before: trees before what they
    /// hold, with the path at which each is met first.
    package mutating func run(
        _ root: ObjectID,
        visit: (ObjectID, ObjectKind, _ path: [EntryName]) throws -> Void
    ) throws {
        guard seen[.tree, default: []].insert(root).inserted else { return }
        var walk = TreeWalk(objects)
        walk.onMissing = onMissing
        try visit(root, .tree, [])
        try walk.run(root) { path, entry in
            guard seen[entry.target.kind, default: []].insert(entry.target.id).inserted else {
                return .pass
            }
            try visit(entry.target.id, entry.target.kind, path)
            return .enter
        }
    }

    /// Counts what lies below the tree as met, without a visit.
    package mutating func hide(_ root: ObjectID) throws {
        try run(root) { _, _, _ in }
    }
}
