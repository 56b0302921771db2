import History
import Objects
import TestSupport
import Testing

/// The commits of a walk, by the names of a drawing.
private func shown(
    _ drawing: GraphDrawing, _ included: String, not excluded: String = "",
    symmetric: [(String, String)] = [], limit: Int = .max,
    _ adjust: (inout RevisionWalk) -> Void = { _ in }
) throws -> String {
    var walk = RevisionWalk(CommitGraph(drawing.objects))
    adjust(&walk)
    var range = RevisionRange()
    range.included = drawing.ids(included)
    range.excluded = drawing.ids(excluded)
    range.symmetric = symmetric.map { (drawing[$0.0], drawing[$0.1]) }
    var names = ""
    var left = limit
    try walk.run(range) { id, parents in
        guard left > 0 else { return false }
        left -= 1
        names += drawing.name(id)
        #expect(parents == drawing.objects.commits[id]?.parents)
        return true
    }
    return names
}

@Suite struct RevisionWalkTests {
    private let merge = GraphDrawing("O-A-M", "O-B-M")

    // MARK: - Breadth first

    @Test func walksALineFromItsHead() throws {
        #expect(try shown(GraphDrawing("O-A-B-C"), "C") == "CBAO")
    }

    @Test func walksBreadthFirstWithParentsInStoredOrder() throws {
        #expect(try shown(merge, "M") == "MABO")
        #expect(try shown(GraphDrawing("O-A-a-M", "O-B-b-M"), "M") == "MabABO")
        #expect(try shown(GraphDrawing("O-B-M", "O-A-M"), "M") == "MBAO")
    }

    @Test func walksFromSeveralHeadsInTheirOrder() throws {
        let drawing = GraphDrawing("O-A", "O-B", "O-C")
        #expect(try shown(drawing, "BAC") == "BACO")
        #expect(try shown(drawing, "AAB") == "ABO")
    }

    @Test func walksAnOctopus() throws {
        let drawing = GraphDrawing("O-A-M", "O-B-M", "O-C-M", "O-D-M")
        #expect(try shown(drawing, "M") == "MABCDO")
    }

    @Test func walksTwoRoots() throws {
        #expect(try shown(GraphDrawing("R-A-M", "S-B-M"), "M") == "MABRS")
    }

    @Test func walksACrissCross() throws {
        let drawing = GraphDrawing("O-A-X", "O-B-Y", "B-X", "A-Y")
        #expect(try shown(drawing, "XY") == "XYABO")
        #expect(try shown(drawing, "X", not: "Y") == "X")
    }

    @Test func showsAParentThatStandsTwiceOnce() throws {
        #expect(try shown(GraphDrawing("O-A", "O-A"), "A") == "AO")
    }

    @Test func stopsWhereTheVisitorSaysSo() throws {
        #expect(try shown(GraphDrawing("O-A-B-C"), "C", limit: 2) == "CB")
        #expect(
            try shown(GraphDrawing("O-A-B-C"), "C", limit: 2) { $0.isTopological = true } == "CB")
    }

    @Test func showsNothingOfNothing() throws {
        #expect(try shown(merge, "") == "")
        #expect(try shown(merge, "") { $0.isTopological = true } == "")
    }

    // MARK: - Ranges

    @Test func leavesOutWhatTheExcludedReach() throws {
        let line = GraphDrawing("O-A-B-C")
        #expect(try shown(line, "C", not: "A") == "CB")
        #expect(try shown(line, "A", not: "C") == "")
        #expect(try shown(line, "C", not: "C") == "")
        #expect(try shown(merge, "M", not: "A") == "MB")
        #expect(try shown(merge, "M", not: "AB") == "M")
    }

    @Test func showsWhatOneSideReachesAndNotBoth() throws {
        let drawing = GraphDrawing("O-P-A-a", "P-B-b")
        #expect(try shown(drawing, "", symmetric: [("a", "b")]) == "abAB")
        #expect(try shown(drawing, "", symmetric: [("a", "a")]) == "")
        #expect(try shown(drawing, "", symmetric: [("a", "P")]) == "aA")
    }

    @Test func showsBothSidesOfDisjointHistories() throws {
        #expect(try shown(GraphDrawing("R-A", "S-B"), "", symmetric: [("A", "B")]) == "ABRS")
    }

    @Test func tellsWhichParentsTheRangeLeavesOut() throws {
        var edges: [ObjectID] = []
        _ = try shown(merge, "M", not: "A") { $0.onEdge = { edges.append($0) } }
        #expect(edges.map { merge.name($0) }.sorted() == ["A", "O"])
    }

    // MARK: - First parent

    @Test func followsOnlyFirstParents() throws {
        #expect(try shown(merge, "M") { $0.firstParentOnly = true } == "MAO")
        let topological = try shown(merge, "M") {
            $0.firstParentOnly = true
            $0.isTopological = true
        }
        #expect(topological == "MAO")
    }

    @Test func leavesOutAllAncestorsEvenWhereItFollowsFirstParents() throws {
        #expect(try shown(merge, "M", not: "B") { $0.firstParentOnly = true } == "MA")
    }

    // MARK: - Topological order

    @Test func showsALineOfHistoryToItsEndInTopologicalOrder() throws {
        let drawing = GraphDrawing("O-A-a-M", "O-B-b-M")
        #expect(try shown(drawing, "M") { $0.isTopological = true } == "MaAbBO")
    }

    @Test func startsWithNoHeadThatAnotherHeadReaches() throws {
        #expect(try shown(GraphDrawing("O-A-B-C"), "AC") { $0.isTopological = true } == "CBAO")
    }

    @Test func agreesWithBruteForceOnRandomGraphs() throws {
        var numbers = SeededNumbers()
        for _ in 0..<300 {
            let count = 2 + numbers.below(12)
            let names = (0..<count).map { String(UnicodeScalar(UInt8(0x61 + $0))) }
            let drawing = GraphDrawing()
            for name in names { drawing.draw(name) }
            for child in 1..<count {
                for _ in 0..<numbers.below(4) {
                    drawing.draw(names[numbers.below(child)] + "-" + names[child])
                }
            }
            let included = (0..<1 + numbers.below(3)).map { _ in names[numbers.below(count)] }
                .joined()
            let excluded = (0..<numbers.below(2)).map { _ in names[numbers.below(count)] }.joined()
            let expected = Self.ancestors(drawing, included).subtracting(
                Self.ancestors(drawing, excluded))
            let comment = Comment(rawValue: "seed \(numbers.seed)")

            let breadthFirst = try shown(drawing, included, not: excluded)
            #expect(Set(breadthFirst) == expected && breadthFirst.count == expected.count, comment)
            #expect(breadthFirst == Self.breadthFirst(drawing, included, expected), comment)

            let topological = try shown(drawing, included, not: excluded) {
                $0.isTopological = true
            }
            #expect(Set(topological) == expected && topological.count == expected.count, comment)
            var seen: Set<Character> = []
            for name in topological {
                seen.insert(name)
                let parents = Self.parents(drawing, name)
                #expect(parents.allSatisfy { !seen.contains($0) || $0 == name }, comment)
            }
            #expect(drawing.objects.commitReads.values.allSatisfy { $0 <= 3 })
        }
    }

    private static func parents(_ drawing: GraphDrawing, _ name: Character) -> [Character] {
        (drawing.objects.commits[drawing[String(name)]]?.parents ?? []).map {
            Character(drawing.name($0))
        }
    }

    private static func ancestors(_ drawing: GraphDrawing, _ names: String) -> Set<Character> {
        var found: Set<Character> = []
        var waiting = Array(names)
        while let name = waiting.popLast() {
            if found.insert(name).inserted { waiting += parents(drawing, name) }
        }
        return found
    }

    private static func breadthFirst(
        _ drawing: GraphDrawing, _ heads: String, _ kept: Set<Character>
    ) -> String {
        var queue: [Character] = []
        for head in heads where kept.contains(head) && !queue.contains(head) { queue.append(head) }
        var next = 0
        while next < queue.count {
            for parent in parents(drawing, queue[next])
            where kept.contains(parent) && !queue.contains(parent) {
                queue.append(parent)
            }
            next += 1
        }
        return String(queue)
    }

    // MARK: - What is not there

    @Test func throwsForACommitThatIsNotThere() throws {
        let drawing = GraphDrawing("O-A-B")
        drawing.erase("A")
        #expect(throws: MemoryObjects.Failure.missing(drawing["A"])) { try shown(drawing, "B") }
        #expect(throws: MemoryObjects.Failure.missing(drawing["A"])) {
            try shown(drawing, "B") { $0.isTopological = true }
        }
    }

    @Test(arguments: [false, true]) func goesOnWithoutACommitThatIsNotThere(topological: Bool)
        throws
    {
        let drawing = GraphDrawing("O-A-M", "O-B-M")
        drawing.erase("A")
        var missing: [ObjectID] = []
        let found = try shown(drawing, "M") {
            $0.isTopological = topological
            $0.onMissing = { id, _ in missing.append(id) }
        }
        #expect(found == "MBO")
        #expect(missing == [drawing["A"]])
    }

    @Test func throwsForAnExcludedCommitThatIsNotThere() throws {
        let drawing = GraphDrawing("O-A", "O-B")
        drawing.erase("B")
        #expect(throws: MemoryObjects.Failure.missing(drawing["B"])) {
            try shown(drawing, "A", not: "B")
        }
    }

    // MARK: - Cost

    @Test(arguments: [false, true]) func readsEachCommitAtMostOnce(topological: Bool) throws {
        let drawing = GraphDrawing("O-P-A-a-M", "P-B-b-M", "O-X-a", "P-Y-b")
        let found = try shown(drawing, "M", not: "X", symmetric: [("a", "b")]) {
            $0.isTopological = topological
        }
        #expect(!found.isEmpty)
        #expect(drawing.objects.commitReads.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: [(false, 1_000_000), (true, many)])
    func walksAMillionCommitsWithoutOverflow(topological: Bool, length: Int) throws {
        let line = EndlessLine(length: length)
        var walk = RevisionWalk(CommitGraph(line))
        walk.isTopological = topological
        var range = RevisionRange()
        range.included = [line.id(length)]
        var count = 0
        try walk.run(range) { _, _ in
            count += 1
            return true
        }
        #expect(count == length)
    }

    @Test func excludesAMillionCommitsWithoutOverflow() throws {
        let line = EndlessLine(length: many)
        var range = RevisionRange()
        range.included = [line.id(many)]
        range.excluded = [line.id(many - 1)]
        var count = 0
        try RevisionWalk(CommitGraph(line)).run(range) { _, _ in
            count += 1
            return true
        }
        #expect(count == 1)
    }
}

/// Commits in one line, made when they are read.
private struct EndlessLine: ObjectReader {
    let length: Int

    private static let tree = ObjectID(naming: [], width: .hex12)

    /// The commit of a number from 1, the root.
    func id(_ number: Int) -> ObjectID {
        var text = Array("obj-cas-imm-".utf8)
        for shift in stride(from: 44, through: 0, by: -4) {
            let digit = UInt8(number >> shift & 15)
            text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        return ObjectID(text) ?? Self.tree
    }

    func contains(_ id: ObjectID) -> Bool { true }

    func parents(of id: ObjectID) throws -> [ObjectID] { try commit(id).parents }

    func commit(_ id: ObjectID) throws -> Commit {
        var commit = Commit(tree: Self.tree)
        let number = id.bytes.dropFirst(12).reduce(0) {
            $0 << 4 | Int($1 < 0x3A ? $1 - 0x30 : $1 - 0x57)
        }
        commit.parentItems = number > 1 ? [self.id(number - 1)] : []
        return commit
    }

    func tree(_ id: ObjectID) throws -> Tree { Tree(entries: []) }

    func blob(_ id: ObjectID) throws -> ArraySlice<UInt8> { [] }
}
