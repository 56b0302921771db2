import Objects
import TestSupport
import Testing

@Suite struct TreeDifferenceTests {
    private let forest = ForestDrawing()

    /// The changes, each as its status and path.
    private func changes(
        _ old: ObjectID, _ new: ObjectID, entersFolders: Bool = true
    ) throws -> [String] {
        var changes: [String] = []
        var difference = TreeDifference(forest.objects, entersFolders: entersFolders)
        try difference.run(old, new) { change in
            let path = String(decoding: PrettyLayout.path(change.path), as: UTF8.self)
            changes.append(change.status.rawValue + " " + path)
            #expect((change.old == nil) == (change.status == .added))
            #expect((change.new == nil) == (change.status == .deleted))
        }
        return changes
    }

    // MARK: - The whole table

    private enum Side: CaseIterable {
        case absent, x, copyOfX, y, folder, copyOfFolder, otherFolder, emptyFolder

        var node: ForestDrawing.Node? {
            switch self {
            case .absent: nil
            case .x: .blob("X")
            case .copyOfX: .blob("X", copy: 1)
            case .y: .blob("Y")
            case .folder: .tree([("f", .blob("F"))])
            case .copyOfFolder: .tree([("f", .blob("F", copy: 1))])
            case .otherFolder: .tree([("g", .blob("G"))])
            case .emptyFolder: .tree([])
            }
        }

        /// What counts: equal contents are one.
        var content: String {
            switch self {
            case .absent: ""
            case .x, .copyOfX: "X"
            case .y: "Y"
            case .folder, .copyOfFolder: "p/f"
            case .otherFolder: "p/g"
            case .emptyFolder: "p/"
            }
        }

        var isFolder: Bool { content.hasPrefix("p/") }
        /// The path of the one file; nil where there is none.
        var file: String? {
            content.isEmpty || self == .emptyFolder ? nil : isFolder ? content : "p"
        }
    }

    private func tree(_ side: Side) -> ObjectID { forest.tree(side.node.map { [("p", $0)] } ?? []) }

    @Test func showsEveryPairOfEntriesWithoutEnteringFolders() throws {
        for old in Side.allCases {
            for new in Side.allCases {
                let expected =
                    switch (old, new) {
                    case _ where old.content == new.content: [String]()
                    case (.absent, _): ["A p"]
                    case (_, .absent): ["D p"]
                    case _ where old.isFolder != new.isFolder: ["T p"]
                    default: ["M p"]
                    }
                let found = try changes(tree(old), tree(new), entersFolders: false)
                #expect(found == expected, "\(old) to \(new)")
            }
        }
    }

    @Test func showsEveryPairOfEntriesEnteringFolders() throws {
        for old in Side.allCases {
            for new in Side.allCases {
                let expected: [String]
                if old.content == new.content {
                    expected = []
                } else if let one = old.file, let other = new.file, one == other {
                    expected = ["M " + one]
                } else {
                    expected = [old.file.map { "D " + $0 }, new.file.map { "A " + $0 }].compactMap {
                        $0
                    }
                    .sorted { $0.dropFirst(2) < $1.dropFirst(2) }
                }
                #expect(try changes(tree(old), tree(new)) == expected, "\(old) to \(new)")
            }
        }
    }

    // MARK: - Order

    @Test func sortsByTheBytesOfWholePaths() throws {
        let nodes: [(String, ForestDrawing.Node)] = [
            ("b", .blob("1")), ("a", .tree([("x", .blob("2")), ("b", .blob("3"))])),
            ("a-b", .blob("4")),
            ("a.txt", .blob("5")), ("a0", .blob("6")), ("B", .blob("7")), ("\u{E9}", .blob("8")),
            ("e\u{301}", .blob("9")), ("a b", .tree([("x", .blob("10"))])),
        ]
        let expected = [
            "B", "a b/x", "a-b", "a.txt", "a/b", "a/x", "a0", "b", "e\u{301}", "\u{E9}",
        ]
        let found = try changes(forest.tree([]), forest.tree(nodes))
        #expect(found.map { Array($0.utf8) } == expected.map { Array(("A " + $0).utf8) })
        let deleted = try changes(forest.tree(nodes), forest.tree([]))
        #expect(deleted.map { Array($0.utf8) } == expected.map { Array(("D " + $0).utf8) })
    }

    @Test func sortsFoldersByNameWhereTheyAreNotEntered() throws {
        let nodes: [(String, ForestDrawing.Node)] = [
            ("a-b", .blob("1")), ("a", .tree([("x", .blob("2"))])), ("B", .blob("3")),
        ]
        #expect(
            try changes(forest.tree([]), forest.tree(nodes), entersFolders: false)
                == ["A B", "A a", "A a-b"])
    }

    @Test func keepsTheOrderOfPathsInRandomForests() throws {
        var numbers = SeededNumbers()
        for _ in 0..<200 {
            let old = forest.tree(Self.randomNodes(&numbers, depth: 0))
            let new = forest.tree(Self.randomNodes(&numbers, depth: 0))
            let found = try changes(old, new)
            let paths = found.map { Array($0.utf8.dropFirst(2)) }
            #expect(
                paths == paths.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(numbers.seed)")
            #expect(
                Set(found) == Self.bruteForce(try files(old), try files(new)),
                "seed \(numbers.seed)")
        }
    }

    private static func randomNodes(
        _ numbers: inout SeededNumbers, depth: Int
    ) -> [(String, ForestDrawing.Node)] {
        ["a", "a-", "a.b", "a0", "b"].compactMap { name in
            switch numbers.below(depth < 3 ? 4 : 3) {
            case 0: nil
            case 1, 2: (name, .blob("\(numbers.below(3))", copy: numbers.below(2)))
            default: (name, .tree(randomNodes(&numbers, depth: depth + 1)))
            }
        }
    }

    private func files(_ root: ObjectID) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        try TreeWalk(forest.objects).run(root) { path, entry in
            if entry.target.kind == .blob {
                files[String(decoding: PrettyLayout.path(path), as: UTF8.self)] = Array(
                    try forest.objects.blob(entry.target.id))
            }
            return .enter
        }
        return files
    }

    private static func bruteForce(
        _ old: [String: [UInt8]], _ new: [String: [UInt8]]
    ) -> Set<String> {
        Set(
            Set(old.keys).union(new.keys).compactMap { path in
                if old[path] == new[path] { return nil }
                return (old[path] == nil ? "A " : new[path] == nil ? "D " : "M ") + path
            })
    }

    // MARK: - What is read

    @Test func entersNoTreesOfEqualID() throws {
        let absent = ObjectID(naming: [7], width: .hex12)
        let old = forest.tree([("same", .link(absent)), ("a", .blob("1"))])
        let new = forest.tree([("same", .link(absent)), ("a", .blob("2"))])
        #expect(try changes(old, new) == ["M a"])
        #expect(try changes(old, new, entersFolders: false) == ["M a"])
    }

    @Test func countsTheLastOfTwoEntriesOfOneName() throws {
        let old = forest.tree([("a", .blob("1")), ("a", .blob("2"))])
        #expect(try changes(old, forest.tree([("a", .blob("2"))])).isEmpty)
        #expect(try changes(old, forest.tree([("a", .blob("1"))])) == ["M a"])
        let mixed = forest.tree([("a", .tree([("x", .blob("1"))])), ("a", .blob("2"))])
        #expect(try changes(mixed, forest.tree([("a", .blob("2"))])).isEmpty)
    }

    @Test func throwsForATreeOrBlobThatIsNotThere() throws {
        let absent = ObjectID(naming: [7], width: .hex12)
        let root = forest.tree([("d", .link(absent))])
        #expect(throws: MemoryObjects.Failure.missing(absent)) {
            try changes(root, forest.tree([]))
        }
        let (one, other) = (forest.tree([("a", .blob("1"))]), forest.tree([("a", .blob("2"))]))
        forest.objects.blobs.removeAll()
        #expect(throws: MemoryObjects.Failure.self) { try changes(one, other) }
    }

    @Test func endsOnATreeThatLiesBelowItself() throws {
        let id = ObjectID(naming: [1], width: .hex12)
        forest.objects.trees[id] = forest.objects.trees[forest.tree([("self", .link(id))])]
        #expect(throws: TreeWalkError.self) { try changes(id, forest.tree([])) }
        #expect(throws: TreeWalkError.self) { try changes(forest.tree([]), id) }
    }

    @Test func stopsWhereTheVisitorThrows() throws {
        struct Enough: Error {}
        let new = forest.tree([("a", .blob("1")), ("b", .blob("2"))])
        var visited = 0
        #expect(throws: Enough.self) {
            var difference = TreeDifference(forest.objects, entersFolders: true)
            try difference.run(forest.tree([]), new) { _ in
                visited += 1
                throw Enough()
            }
        }
        #expect(visited == 1)
    }
}
