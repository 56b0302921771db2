package import Objects

/// A history from lines: `GraphDrawing("O-A-M", "O-B-M")` is two lines from O that M merges, A first.
///
/// Each dash leads from a parent to its child; a commit's parents stand in the order of the lines.
package final class GraphDrawing {
    package let objects = MemoryObjects()
    private var names: [ObjectID: String] = [:]

    package init(_ lines: String...) {
        for line in lines { draw(line) }
    }

    package subscript(name: String) -> ObjectID {
        ObjectID(naming: Array(name.utf8), width: .hex12)
    }

    package func ids(_ names: String) -> [ObjectID] { names.map { self[String($0)] } }

    package func name(_ id: ObjectID) -> String { names[id] ?? "?" }

    package func draw(_ line: String) {
        var before: ObjectID?
        for word in line.split(separator: "-") {
            let name = String(word)
            let id = self[name]
            names[id] = name
            var commit = objects.commits[id] ?? Commit(tree: self["tree of " + name])
            if let before { commit.parentItems = (commit.parentItems ?? []) + [before] }
            objects.commits[id] = commit
            before = id
        }
    }

    /// Takes a commit away and leaves what names it.
    package func erase(_ name: String) { objects.commits[self[name]] = nil }
}
