package import Objects

/// Objects in a dictionary: a reader for drawn graphs, cycles and other things no store can hold.
package final class MemoryObjects: ObjectReader {
    package enum Failure: Error, Equatable {
        case missing(ObjectID)
    }

    package var commits: [ObjectID: Commit] = [:]
    package var trees: [ObjectID: Tree] = [:]
    package var blobs: [ObjectID: [UInt8]] = [:]
    /// How often each commit was read.
    package private(set) var commitReads: [ObjectID: Int] = [:]

    package init() {}

    package func contains(_ id: ObjectID) -> Bool {
        commits[id] != nil || trees[id] != nil || blobs[id] != nil
    }

    package func commit(_ id: ObjectID) throws -> Commit {
        commitReads[id, default: 0] += 1
        return try commits[id] ?? missing(id)
    }

    package func parents(of id: ObjectID) throws -> [ObjectID] { try commit(id).parents }

    package func tree(_ id: ObjectID) throws -> Tree { try trees[id] ?? missing(id) }

    package func blob(_ id: ObjectID) throws -> ArraySlice<UInt8> {
        try (blobs[id] ?? missing(id))[...]
    }

    private func missing<Value>(_ id: ObjectID) throws -> Value { throw Failure.missing(id) }
}
