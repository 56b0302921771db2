import Cryptography

/// What differs between two trees, by content: blobs are equal where their plaintexts are, whatever their ids.
///
/// Equal tree ids are not entered. Of entries with one name the last counts.
package struct TreeDifference {
    package enum Status: String {
        case added = "A"
        case deleted = "D"
        case modified = "M"
        /// A file became a folder, or the reverse.
        case kindChanged = "T"
    }

    package struct Change {
        package let status: Status
        package let old: ObjectID?
        package let new: ObjectID?
        package let path: [EntryName]
    }

    private let objects: any ObjectReader
    /// Whether folders are entered, and only files shown.
    private let entersFolders: Bool
    /// What comparing cost once is not paid again: the same two folders or files may meet at many paths.
    private var known: [IDs: Bool] = [:]

    package init(_ objects: any ObjectReader, entersFolders: Bool) {
        self.objects = objects
        self.entersFolders = entersFolders
    }

    /// Calls `visit` with each change, sorted by the bytes of the path.
    package mutating func run(
        _ old: ObjectID?, _ new: ObjectID, visit: (Change) throws -> Void
    ) throws {
        var levels = [Level(pairs: try pairs(old, new))]
        var path: [EntryName] = []
        while let level = levels.last {
            guard level.next < level.pairs.count else {
                levels.removeLast()
                if !path.isEmpty { path.removeLast() }
                continue
            }
            let pair = level.pairs[level.next]
            levels[levels.count - 1].next += 1
            guard try differs(pair) else { continue }
            path.append(pair.name)
            if entersFolders, pair.isOfFolders {
                levels.append(Level(pairs: try pairs(pair.old?.id, pair.new?.id)))
            } else {
                try visit(change(pair, at: path))
                path.removeLast()
            }
        }
    }

    // MARK: -

    /// One name in both trees where something differs or may.
    private struct Pair {
        let name: EntryName
        let old: TreeTarget?
        let new: TreeTarget?

        /// Whether there is a folder on one side and no file on the other.
        var isOfFolders: Bool { [old, new].allSatisfy { $0.map { $0.kind == .tree } ?? true } }
    }

    private struct Level {
        let pairs: [Pair]
        var next = 0
    }

    /// What stands on the two sides, of one kind.
    private struct IDs: Hashable {
        let kind: ObjectKind
        let old: ObjectID?
        let new: ObjectID?
    }

    /// Whether the pair holds different content; of two folders, whether any file below them differs.
    ///
    /// A folder without a file below it holds nothing, and so does not differ from none.
    private mutating func differs(_ pair: Pair) throws -> Bool {
        guard pair.isOfFolders else { return try fileDiffers(pair) }
        guard entersFolders || pair.old != nil && pair.new != nil else { return true }
        let root = IDs(kind: .tree, old: pair.old?.id, new: pair.new?.id)
        if let known = known[root] { return known }
        // Without recursion: each level is a pair of folders whose files are compared one after the other.
        var open = [root]
        var levels = [Level(pairs: try pairs(root.old, root.new))]
        while let level = levels.last, let ids = open.last {
            guard level.next < level.pairs.count else {
                known[ids] = false
                open.removeLast()
                levels.removeLast()
                continue
            }
            let next = level.pairs[level.next]
            levels[levels.count - 1].next += 1
            let below = IDs(kind: .tree, old: next.old?.id, new: next.new?.id)
            let answer = next.isOfFolders ? known[below] : try fileDiffers(next)
            if answer == true {
                for ids in open { known[ids] = true }
                return true
            }
            if answer == nil {
                guard open.count < TreeWalk.maximumDepth else {
                    throw TreeWalkError.tooDeep(limit: TreeWalk.maximumDepth)
                }
                open.append(below)
                levels.append(Level(pairs: try pairs(below.old, below.new)))
            }
        }
        return false
    }

    /// Whether a pair with a file in it differs.
    private mutating func fileDiffers(_ pair: Pair) throws -> Bool {
        guard case .blob(let old, _)? = pair.old, case .blob(let new, _)? = pair.new else {
            return true
        }
        let ids = IDs(kind: .blob, old: old, new: new)
        if let known = known[ids] { return known }
        let differs = try SHA256.digest(objects.blob(old)) != SHA256.digest(objects.blob(new))
        known[ids] = differs
        return differs
    }

    private func change(_ pair: Pair, at path: [EntryName]) -> Change {
        let status: Status =
            switch (pair.old?.kind, pair.new?.kind) {
            case (nil, _): .added
            case (_, nil): .deleted
            case (let old, let new): old == new ? .modified : .kindChanged
            }
        return Change(status: status, old: pair.old?.id, new: pair.new?.id, path: path)
    }

    /// The entries of two trees side by side, in order, without those of equal id.
    private func pairs(_ old: ObjectID?, _ new: ObjectID?) throws -> [Pair] {
        let old = try entries(old)
        let new = try entries(new)
        return Set(old.keys).union(new.keys).sorted()
            .compactMap { key in
                let (one, other) = (old[key]?.target, new[key]?.target)
                if one?.id == other?.id, one?.kind == other?.kind { return nil }
                return Pair(name: key.name, old: one, new: other)
            }
    }

    /// What an entry sorts by: its name, and a slash where it is a folder that is entered, as the paths below do.
    ///
    /// Such a folder is never the counterpart of a file.
    private struct Key: Hashable, Comparable {
        let name: EntryName
        let isEntered: Bool

        static func < (one: Key, other: Key) -> Bool {
            let (mine, theirs) = (one.sortBytes, other.sortBytes)
            return mine == theirs
                ? !one.isEntered && other.isEntered : mine.lexicographicallyPrecedes(theirs)
        }

        private var sortBytes: [UInt8] { isEntered ? name.bytes + [UInt8(ascii: "/")] : name.bytes }
    }

    /// The entries of a tree, one a key; none where there is no tree.
    private func entries(_ id: ObjectID?) throws -> [Key: TreeEntry] {
        guard let id else { return [:] }
        var last: [EntryName: TreeEntry] = [:]
        for entry in try objects.tree(id).entries {
            last[entry.name] = entry
        }
        var keyed: [Key: TreeEntry] = [:]
        for (name, entry) in last {
            let isEntered = entersFolders && entry.target.kind == .tree
            keyed[Key(name: name, isEntered: isEntered)] = entry
        }
        return keyed
    }
}
