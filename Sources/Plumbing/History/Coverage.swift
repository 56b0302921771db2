package import Objects

/// What the histories of some heads cover: what one would lose nothing of by keeping only them.
///
/// Heads *cover* a commit when every commit that it reaches and they do not is a merge whose tree is also the tree of
/// a commit that they reach: devices that merge the same pair apart make two merges of one tree, and neither holds
/// anything that the other lacks. Only parent links and trees are compared, never times. A commit that names one
/// parent twice has one parent.
///
/// All commits on both sides are looked at, so one that is not there is an error whatever the answer would have been.
package final class Coverage {
    private let graph: CommitGraph
    /// What the heads reach.
    private var reached = CommitSet()
    /// The same, those near the heads first.
    private var order: [Int32] = []
    /// How many in that order have their tree among the trees.
    private var treeCount = 0
    private var trees: Set<ObjectID> = []

    /// Reads all that the heads reach, once for every later question; their trees only when one asks for them.
    ///
    /// - Throws: what the reader throws, `missing` for a commit that is not there.
    package init(of heads: [ObjectID], in graph: CommitGraph) throws {
        self.graph = graph
        // The newest first: a merge made twice is found there.
        for head in heads { reach(graph.number(head)) }
        var next = 0
        while next < order.count {
            for parent in try graph.parents(Int(order[next])) { reach(Int(parent)) }
            next += 1
        }
    }

    /// Whether the heads cover the commit.
    ///
    /// - Throws: what the reader throws, `missing` for a commit that is not there.
    package func covers(_ head: ObjectID) throws -> Bool {
        var met = CommitSet()
        var merges: [Int] = []
        var areAllMerges = true
        var waiting = [graph.number(head)]
        while let number = waiting.popLast() {
            guard !reached.contains(number), met.insert(number) else { continue }
            let parents = try graph.parents(number)
            if parents.contains(where: { $0 != parents[0] }) {
                merges.append(number)
            } else {
                areAllMerges = false
            }
            waiting += parents.map { Int($0) }
        }
        return try areAllMerges && merges.allSatisfy { try hasTree(graph.tree($0)) }
    }

    // MARK: -

    private func reach(_ number: Int) {
        if reached.insert(number) { order.append(Int32(number)) }
    }

    /// Whether a commit that the heads reach has this tree.
    private func hasTree(_ tree: ObjectID) throws -> Bool {
        if trees.contains(tree) { return true }
        while treeCount < order.count {
            let next = try graph.tree(Int(order[treeCount]))
            treeCount += 1
            trees.insert(next)
            if next == tree { return true }
        }
        return false
    }
}
