import History
import Objects
import TestSupport
import Testing

@Suite struct ObjectWalkTests {
    private let forest = ForestDrawing()

    private func paths(_ walk: inout ObjectWalk, _ root: ObjectID) throws -> [String] {
        var paths: [String] = []
        try walk.run(root) { _, kind, path in
            paths.append(
                "\(kind.rawValue) " + String(decoding: PrettyLayout.path(path), as: UTF8.self))
        }
        return paths
    }

    @Test func visitsTreesBeforeWhatTheyHold() throws {
        let root = forest.tree([("d", .tree([("x", .blob("1"))])), ("a", .blob("2"))])
        var walk = ObjectWalk(forest.objects)
        #expect(try paths(&walk, root) == ["tree ", "tree d", "blob d/x", "blob a"])
    }

    @Test func visitsEachObjectOnceAtItsFirstPath() throws {
        let root = forest.tree([
            ("a", .blob("1")), ("b", .blob("1")), ("c", .tree([("x", .blob("1"))])),
            ("d", .tree([("x", .blob("1"))])),
        ])
        var walk = ObjectWalk(forest.objects)
        #expect(try paths(&walk, root) == ["tree ", "blob a", "tree c"])
    }

    @Test func visitsNothingTwiceOverSeveralRoots() throws {
        let one = forest.tree([("a", .blob("1")), ("d", .tree([("x", .blob("2"))]))])
        let other = forest.tree([("a", .blob("3")), ("d", .tree([("x", .blob("2"))]))])
        var walk = ObjectWalk(forest.objects)
        _ = try paths(&walk, one)
        #expect(try paths(&walk, other) == ["tree ", "blob a"])
        #expect(try paths(&walk, one).isEmpty)
    }

    @Test func visitsNothingOfWhatWasHidden() throws {
        let one = forest.tree([("a", .blob("1"))])
        let other = forest.tree([("a", .blob("1")), ("b", .blob("2"))])
        var walk = ObjectWalk(forest.objects)
        try walk.hide(one)
        #expect(try paths(&walk, other) == ["tree ", "blob b"])
    }

    @Test func endsOnATreeThatLiesBelowItself() throws {
        let id = ObjectID(naming: [1], width: .hex12)
        forest.objects.trees[id] = forest.objects.trees[forest.tree([("self", .link(id))])]
        var walk = ObjectWalk(forest.objects)
        #expect(try paths(&walk, id) == ["tree "])
    }

    @Test func throwsForATreeThatIsNotThereUnlessItMay() throws {
        let absent = ObjectID(naming: [2], width: .hex12)
        let root = forest.tree([("d", .link(absent)), ("a", .blob("1"))])
        var strict = ObjectWalk(forest.objects)
        #expect(throws: MemoryObjects.Failure.missing(absent)) { try paths(&strict, root) }
        var missing: [ObjectID] = []
        var lenient = ObjectWalk(forest.objects)
        lenient.onMissing = { id, _ in missing.append(id) }
        #expect(try paths(&lenient, root) == ["tree ", "tree d", "blob a"])
        #expect(missing == [absent])
    }
}
