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

    package init(_ objects: any ObjectReader, entersFolders: Bool) {
        self.objects = objects
        self.entersFolders = entersFolders
    }

    /// Calls `visit` with each change, sorted by the bytes of the path.
    package func run(_ old: ObjectID, _ new: ObjectID, visit: (Change) throws -> Void) throws {
        try walk(old, new) { pair in
            if let change = try change(pair) { try visit(change) }
        }
    }

    // MARK: -

    /// One place in both trees where something differs or may.
    private struct Pair {
        let path: [EntryName]
        let old: TreeTarget?
        let new: TreeTarget?
    }

    /// Visits the pairs of entries that may differ, entering folders where that is asked for.
    private func walk(_ old: ObjectID, _ new: ObjectID, _ visit: (Pair) throws -> Void) throws {
        var waiting: [Pair] = try pairs([], old, new).reversed()
        while let pair = waiting.popLast() {
            guard entersFolders, (pair.old ?? pair.new)?.kind == .tree else {
                try visit(pair)
                continue
            }
            guard pair.path.count < TreeWalk.maximumDepth else {
                throw TreeWalkError.tooDeep(limit: TreeWalk.maximumDepth)
            }
            waiting += try pairs(pair.path, pair.old?.id, pair.new?.id).reversed()
        }
    }

    /// The entries of two trees side by side, in order, without those of equal id.
    private func pairs(_ path: [EntryName], _ old: ObjectID?, _ new: ObjectID?) throws -> [Pair] {
        let old = try entries(old)
        let new = try entries(new)
        return Set(old.keys).union(new.keys).sorted()
            .compactMap { key in
                let (one, other) = (old[key], new[key])
                if one?.target.id == other?.target.id, one?.target.kind == other?.target.kind {
                    return nil
                }
                guard let name = one?.name ?? other?.name else { return nil }
                return Pair(path: path + [name], old: one?.target, new: other?.target)
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

    /// The change at a place that is not entered; nil where it holds the same.
    private func change(_ pair: Pair) throws -> Change? {
        let status: Status
        switch (pair.old, pair.new) {
        case (.blob(let one, _)?, .blob(let other, _)?):
            if try holdSame(one, other) { return nil }
            status = .modified
        case (.tree(let one)?, .tree(let other)?):
            if try !differBelow(one, other) { return nil }
            status = .modified
        case (nil, _): status = .added
        case (_, nil): status = .deleted
        default: status = .kindChanged
        }
        return Change(status: status, old: pair.old?.id, new: pair.new?.id, path: pair.path)
    }

    /// Whether any file below the two folders differs: only that tells whether they hold the same.
    private func differBelow(_ old: ObjectID, _ new: ObjectID) throws -> Bool {
        do {
            try TreeDifference(objects, entersFolders: true).run(old, new) { _ in
                throw Found.difference
            }
            return false
        } catch Found.difference {
            return true
        }
    }

    private func holdSame(_ one: ObjectID, _ other: ObjectID) throws -> Bool {
        try SHA256.digest(objects.blob(one)) == SHA256.digest(objects.blob(other))
    }

    private enum Found: Error {
        case difference
    }
}
