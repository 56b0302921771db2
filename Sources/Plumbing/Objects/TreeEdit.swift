/// Why a path cannot be changed.
package enum TreeEditError: Error, Equatable {
    /// Nothing of that path is in the tree.
    case noSuchPath([EntryName])
    /// A file stands where the path wants a folder.
    case fileInTheWay([EntryName])
    /// A folder stands where the path wants a file.
    case folderInTheWay([EntryName])
}

/// Changes at paths of a tree, made together: folders appear where they are needed, and disappear when their last
/// entry does.
///
/// Only the folders on the way to a changed path are read and written; all others keep their ids.
package struct TreeEdit {
    package enum Change {
        /// A file is to be there.
        case put(ObjectID, BlobFacts)
        /// What is there, file or folder, is to go; that something is there is demanded.
        case remove
        /// What is there, if anything is, is to go.
        case clear
    }

    private struct Level {
        var entries: [EntryName: TreeTarget]
        var isChanged = false
    }

    private var changes: [[EntryName]: Change] = [:]

    package init() {}

    package var isEmpty: Bool { changes.isEmpty }

    /// Asks for a change; a later one at the same path counts.
    package mutating func ask(_ change: Change, at path: [EntryName]) { changes[path] = change }

    /// The root tree with all changes made; `root` itself where they change nothing.
    ///
    /// - Throws: `TreeEditError`, and what reader and writer throw.
    package func apply(
        to root: ObjectID, reading objects: any ObjectReader, writing writer: any ObjectWriter
    ) throws -> ObjectID {
        var levels: [[EntryName]: Level] = [[]: try level(objects.tree(root))]
        for path in changes.keys.sorted(by: TreeEdit.precedes) {
            guard let change = changes[path], let name = path.last else { continue }
            let folder = Array(path.dropLast())
            try open(folder, of: path, change, &levels, objects)
            // In place: a copy of a large folder for each change in it would cost the square of its size.
            switch (change, levels[folder]?.entries[name]) {
            case (.remove, nil): throw TreeEditError.noSuchPath(path)
            case (.clear, nil): continue
            case (.remove, _), (.clear, _): levels[folder]?.entries[name] = nil
            case (.put, .tree): throw TreeEditError.folderInTheWay(path)
            case (.put(let id, let facts), _): levels[folder]?.entries[name] = .blob(id, facts)
            }
            levels[folder]?.isChanged = true
        }
        return try write(&levels, root, writer)
    }

    // MARK: -

    /// Reads the folders on the way to a path that were not read yet, and makes those that are not there.
    private func open(
        _ folder: [EntryName], of path: [EntryName], _ change: Change,
        _ levels: inout [[EntryName]: Level], _ objects: any ObjectReader
    ) throws {
        for depth in 0..<folder.count {
            let below = Array(folder[...depth])
            guard levels[below] == nil else { continue }
            switch levels[Array(below.dropLast())]?.entries[below[depth]] {
            case .tree(let id): levels[below] = try level(objects.tree(id))
            case .blob:
                if case .clear = change { return }
                throw TreeEditError.fileInTheWay(below)
            case nil:
                switch change {
                case .remove: throw TreeEditError.noSuchPath(path)
                case .clear: return
                case .put: levels[below] = Level(entries: [:])
                }
            }
        }
    }

    private func level(_ tree: Tree) -> Level {
        // Of entries with one name the last counts.
        Level(
            entries: Dictionary(
                tree.entries.map { ($0.name, $0.target) }, uniquingKeysWith: { $1 }))
    }

    /// Writes the changed folders, the deepest first, each into the one above it.
    private func write(
        _ levels: inout [[EntryName]: Level], _ root: ObjectID, _ writer: any ObjectWriter
    ) throws -> ObjectID {
        for path in levels.keys.sorted(by: { $0.count > $1.count }) {
            guard let level = levels[path], level.isChanged else { continue }
            let tree = Tree(
                sorting: level.entries.map { TreeEntry(name: $0.key, target: $0.value) })
            guard let name = path.last else { return try writer.write(tree) }
            let above = Array(path.dropLast())
            levels[above]?.entries[name] =
                tree.entries.isEmpty ? nil : .tree(try writer.write(tree))
            levels[above]?.isChanged = true
        }
        return root
    }

    private static func precedes(_ one: [EntryName], _ other: [EntryName]) -> Bool {
        one.lexicographicallyPrecedes(other)
    }
}
