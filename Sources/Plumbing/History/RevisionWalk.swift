package import Objects

/// What a walk starts from: commits whose ancestors it shows, and commits whose ancestors it does not.
package struct RevisionRange {
    /// Shown with their ancestors, in this order.
    package var included: [ObjectID] = []
    /// Left out with their ancestors.
    package var excluded: [ObjectID] = []
    /// Pairs of which only what one side reaches and not both is shown: `A...B`.
    package var symmetric: [(ObjectID, ObjectID)] = []

    package init() {}
}

/// A walk over commits from heads to roots.
///
/// Breadth-first unless asked for in topological order; parents in stored order; each commit once. Times decide
/// nothing.
package struct RevisionWalk {
    private let graph: CommitGraph
    /// Follow only the first parent of each commit shown.
    package var firstParentOnly = false
    /// No commit before all of its children; lines of history are not mixed more than needed.
    package var isTopological = false
    /// Is told of a commit that is not there, and may throw; the walk goes on without its parents.
    package var onMissing: (ObjectID, any Error) throws -> Void = { throw $1 }

    /// Is told of each parent that the walk leaves out because the range excludes it.
    package var onEdge: (ObjectID) -> Void = { _ in }

    package init(_ graph: CommitGraph) {
        self.graph = graph
    }

    /// Calls `visit` with each commit and its parents in stored order, until it returns false.
    package func run(
        _ range: RevisionRange, visit: (ObjectID, _ parents: [ObjectID]) throws -> Bool
    ) throws {
        let (starts, hidden) = try resolve(range)
        if isTopological {
            try runTopologically(starts, hidden, visit)
        } else {
            try runBreadthFirst(starts, hidden, visit)
        }
    }

    // MARK: -

    /// The commits to start from, and those never to be shown.
    private func resolve(_ range: RevisionRange) throws -> (starts: [Int], hidden: CommitSet) {
        let ancestry = Ancestry(graph)
        var excluded = range.excluded
        var starts = range.included.map { graph.number($0) }
        var common: [ObjectID] = []
        for (one, other) in range.symmetric {
            starts += [graph.number(one), graph.number(other)]
            let ofOne = try ancestry.ancestors(of: [one], absent: onMissing)
            let ofOther = try ancestry.ancestors(of: [other], absent: onMissing)
            // What both reach is closed under parents, so its members are excluded one by one.
            common += graph.ids { ofOne.contains($0) && ofOther.contains($0) }
        }
        excluded += common
        return (starts, try ancestry.ancestors(of: excluded, absent: onMissing))
    }

    private func runBreadthFirst(
        _ starts: [Int], _ hidden: CommitSet, _ visit: (ObjectID, [ObjectID]) throws -> Bool
    ) throws {
        var queued = CommitSet()
        var queue = starts.filter { !hidden.contains($0) && queued.insert($0) }
        var next = 0
        while next < queue.count {
            let number = queue[next]
            next += 1
            // What was shown makes room once it is half of the queue.
            if next > 4096, next > queue.count / 2 {
                queue.removeFirst(next)
                next = 0
            }
            guard let parents = try readParents(number) else { continue }
            guard try visit(graph.id(number), parents.map { graph.id($0) }) else { return }
            for parent in followed(parents) {
                if hidden.contains(parent) {
                    onEdge(graph.id(parent))
                } else if queued.insert(parent) {
                    queue.append(parent)
                }
            }
        }
    }

    private func runTopologically(
        _ starts: [Int], _ hidden: CommitSet, _ visit: (ObjectID, [ObjectID]) throws -> Bool
    ) throws {
        // Read everything first: how many children each commit has within the walk.
        var children: [Int: Int] = [:]
        var found = CommitSet()
        var waiting = Array(starts.filter { !hidden.contains($0) && found.insert($0) }.reversed())
        let roots = Array(waiting.reversed())
        var parentsOf: [Int: [Int]] = [:]
        while let number = waiting.popLast() {
            guard let parents = try readParents(number) else { continue }
            parentsOf[number] = parents
            var met: Set<Int> = []
            for parent in followed(parents) where met.insert(parent).inserted {
                if hidden.contains(parent) {
                    onEdge(graph.id(parent))
                    continue
                }
                children[parent, default: 0] += 1
                if found.insert(parent) { waiting.append(parent) }
            }
        }
        // A stack shows one line of history to its end before it turns to the next.
        var ready = Array(roots.filter { children[$0] == nil }.reversed())
        while let number = ready.popLast() {
            guard let parents = parentsOf[number] else { continue }
            guard try visit(graph.id(number), parents.map { graph.id($0) }) else { return }
            var seen: Set<Int> = []
            var freed: [Int] = []
            for parent in followed(parents)
            where !hidden.contains(parent) && seen.insert(parent).inserted {
                children[parent, default: 0] -= 1
                if children[parent] == 0 { freed.append(parent) }
            }
            ready += freed.reversed()
        }
    }

    /// The parents of a commit; nil where it is not there and the caller can do without it.
    private func readParents(_ number: Int) throws -> [Int]? {
        do {
            return try graph.parents(number).map { Int($0) }
        } catch {
            try onMissing(graph.id(number), error)
            return nil
        }
    }

    private func followed(_ parents: [Int]) -> ArraySlice<Int> {
        firstParentOnly ? parents.prefix(1) : parents[...]
    }
}
