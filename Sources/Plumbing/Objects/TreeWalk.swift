/// Why a walk over trees cannot go on.
package enum TreeWalkError: Error, Equatable {
    /// A tree lies below itself.
    case cycle(ObjectID)
    case tooDeep(limit: Int)
}

/// A walk over a tree and the trees below it, in stored order, without recursion.
package struct TreeWalk {
    /// The deepest nesting of folders that is followed.
    package static let maximumDepth = 4096

    /// What to do with a folder that was visited.
    package enum Step {
        case enter
        case pass
    }

    private struct Level {
        let id: ObjectID
        let entries: [TreeEntry]
        var next = 0
        /// Whether a blob was met in the folder or below it.
        var hasBlob = false
    }

    private let objects: any ObjectReader
    /// Pass over folders below which no blob was met before: a few of them can be nested in more ways than can be
    /// walked, and a caller that shows only blobs would never show anything.
    package var passesBarrenFolders = false
    /// Is told of a tree that is not there, and may throw; the walk passes over it.
    package var onMissing: (ObjectID, any Error) throws -> Void = { throw $1 }

    package init(_ objects: any ObjectReader) {
        self.objects = objects
    }

    /// Calls `visit` for every entry below the tree, a folder's before those in it; it says which folders to enter.
    ///
    /// - Throws: `TreeWalkError`, and what the reader throws.
    package func run(
        _ root: ObjectID, visit: (_ path: [EntryName], TreeEntry) throws -> Step
    ) throws {
        var levels: [Level] = []
        var open: Set<ObjectID> = []
        var barren: Set<ObjectID> = []
        var path: [EntryName] = []
        if let first = try level(root) {
            levels.append(first)
            open.insert(root)
        }
        while let current = levels.last {
            guard current.next < current.entries.count else {
                open.remove(current.id)
                levels.removeLast()
                if !path.isEmpty { path.removeLast() }
                if !current.hasBlob { barren.insert(current.id) }
                if current.hasBlob, !levels.isEmpty { levels[levels.count - 1].hasBlob = true }
                continue
            }
            let entry = current.entries[current.next]
            levels[levels.count - 1].next += 1
            if entry.target.kind == .blob { levels[levels.count - 1].hasBlob = true }
            if passesBarrenFolders, barren.contains(entry.target.id) { continue }
            path.append(entry.name)
            let step = try visit(path, entry)
            guard case .tree(let id) = entry.target, step == .enter else {
                path.removeLast()
                continue
            }
            guard !open.contains(id) else { throw TreeWalkError.cycle(id) }
            guard levels.count < TreeWalk.maximumDepth else {
                throw TreeWalkError.tooDeep(limit: TreeWalk.maximumDepth)
            }
            guard let below = try level(id) else {
                path.removeLast()
                continue
            }
            levels.append(below)
            open.insert(id)
        }
    }

    private func level(_ id: ObjectID) throws -> Level? {
        do {
            return Level(id: id, entries: try objects.tree(id).entries)
        } catch {
            try onMissing(id, error)
            return nil
        }
    }
}
