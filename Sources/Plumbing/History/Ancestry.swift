package import Objects

/// Which commits lead to which.
///
/// Only parent links are read, never times; a commit counts as its own ancestor.
package struct Ancestry {
    let graph: CommitGraph

    package init(_ graph: CommitGraph) {
        self.graph = graph
    }

    /// Looks no further than it must: the parent of a commit is found at once, however long its history.
    package func isAncestor(_ one: ObjectID, of other: ObjectID) throws -> Bool {
        let wanted = graph.number(one)
        var seen = CommitSet()
        var waiting = [graph.number(other)]
        var next = 0
        while next < waiting.count {
            let number = waiting[next]
            next += 1
            if number == wanted { return true }
            guard seen.insert(number) else { continue }
            waiting += try graph.parents(number).map { Int($0) }
        }
        return false
    }

    /// All ancestors of the commits, which must all be there unless `absent` takes those that are not.
    func ancestors(
        of ids: [ObjectID], absent: (ObjectID, any Error) throws -> Void = { throw $1 }
    ) throws -> CommitSet {
        var found = CommitSet()
        var waiting = ids.map { graph.number($0) }
        while let number = waiting.popLast() {
            guard found.insert(number) else { continue }
            do {
                waiting += try graph.parents(number).map { Int($0) }
            } catch {
                try absent(graph.id(number), error)
            }
        }
        return found
    }
}
