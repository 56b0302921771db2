import Objects
import TestSupport
import Testing

@Suite struct TreeWalkTests {
    private let forest = ForestDrawing()

    private func paths(
        _ root: ObjectID, enter: (String) -> Bool = { _ in true }
    ) throws -> [String] {
        var paths: [String] = []
        try TreeWalk(forest.objects).run(root) { path, entry in
            let text = String(decoding: PrettyLayout.path(path), as: UTF8.self)
            paths.append(text + (entry.target.kind == .tree ? "/" : ""))
            return enter(text) ? .enter : .pass
        }
        return paths
    }

    /// Folders in one another, `depth` trees in all.
    private func chain(_ depth: Int) -> ObjectID {
        var id = forest.tree([])
        for _ in 1..<depth { id = forest.tree([("d", .link(id))]) }
        return id
    }

    @Test func visitsAFolderBeforeWhatIsInItInStoredOrder() throws {
        let root = forest.tree([
            ("z", .blob("1")),
            ("a", .tree([("y", .blob("2")), ("b", .tree([("c", .blob("3"))]))])),
            ("b", .tree([])), ("m", .blob("4")),
        ])
        #expect(try paths(root) == ["z", "a/", "a/y", "a/b/", "a/b/c", "b/", "m"])
    }

    @Test func visitsNothingInAnEmptyTree() throws {
        #expect(try paths(forest.tree([])).isEmpty)
    }

    @Test func passesOverAFolderThatIsNotEntered() throws {
        let root = forest.tree([
            ("a", .tree([("x", .blob("1"))])), ("b", .tree([("x", .blob("1"))])),
        ])
        #expect(try paths(root) { $0 != "a" } == ["a/", "b/", "b/x"])
    }

    @Test func visitsATreeTwiceThatStandsTwice() throws {
        let shared = forest.tree([("x", .blob("1"))])
        let root = forest.tree([("a", .link(shared)), ("b", .link(shared))])
        #expect(try paths(root) == ["a/", "a/x", "b/", "b/x"])
    }

    @Test func refusesATreeThatLiesBelowItself() throws {
        let id = ObjectID(naming: [1], width: .hex12)
        let below = forest.tree([("up", .link(id))])
        forest.objects.trees[id] = forest.objects.trees[forest.tree([("down", .link(below))])]
        #expect(throws: TreeWalkError.cycle(id)) { try paths(id) }
    }

    @Test func refusesATreeThatHoldsItself() throws {
        let id = ObjectID(naming: [1], width: .hex12)
        forest.objects.trees[id] = forest.objects.trees[forest.tree([("self", .link(id))])]
        #expect(throws: TreeWalkError.cycle(id)) { try paths(id) }
    }

    @Test func followsFoldersToItsBoundAndNoDeeper() throws {
        let deeper = chain(TreeWalk.maximumDepth + 1)
        var visited = 0
        #expect(throws: TreeWalkError.tooDeep(limit: TreeWalk.maximumDepth)) {
            try TreeWalk(forest.objects).run(deeper) { _, _ in
                visited += 1
                return .enter
            }
        }
        // The last entry of the deepest tree that is read is visited, and not entered.
        #expect(visited == TreeWalk.maximumDepth)
    }

    @Test func throwsForATreeThatIsNotThere() throws {
        let absent = ObjectID(naming: [2], width: .hex12)
        let root = forest.tree([("a", .link(absent))])
        #expect(throws: MemoryObjects.Failure.missing(absent)) { try paths(root) }
        #expect(throws: MemoryObjects.Failure.missing(absent)) { try paths(absent) }
    }

    @Test func passesOverATreeThatIsNotThereWhereItMay() throws {
        let absent = ObjectID(naming: [2], width: .hex12)
        let root = forest.tree([
            ("a", .link(absent)), ("b", .tree([("x", .link(absent)), ("y", .blob("1"))])),
            ("c", .blob("2")),
        ])
        var missing: [ObjectID] = []
        var walk = TreeWalk(forest.objects)
        walk.onMissing = { id, _ in missing.append(id) }
        var paths: [String] = []
        try walk.run(root) { path, _ in
            paths.append(String(decoding: PrettyLayout.path(path), as: UTF8.self))
            return .enter
        }
        #expect(paths == ["a", "b", "b/x", "b/y", "c"])
        #expect(missing == [absent, absent])
    }
}
