import History
import Objects
import TestSupport
import Testing

/// How far an ancestor is looked for.
@Suite struct NearAncestorTests {
    /// `C0-C1-…`, as long as asked.
    private static func chain(_ count: Int) -> GraphDrawing {
        let drawing = GraphDrawing()
        drawing.draw((0..<count).map { "C\($0)" }.joined(separator: "-"))
        return drawing
    }

    @Test func findsANearAncestorOfALongHistoryWithoutReadingTheRest() throws {
        let drawing = Self.chain(5000)
        drawing.erase("C0")
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        #expect(try ancestry.isAncestor(drawing["C4997"], of: drawing["C4999"]))
        #expect(
            Set(drawing.objects.commitReads.keys.map(drawing.name)) == ["C4999", "C4998"])
    }

    @Test func readsNothingToKnowThatACommitIsItsOwnAncestor() throws {
        let drawing = GraphDrawing()
        #expect(
            try Ancestry(CommitGraph(drawing.objects))
                .isAncestor(drawing["A"], of: drawing["A"]))
        #expect(drawing.objects.commitReads.isEmpty)
    }

    @Test func needNotHaveTheAncestorItself() throws {
        let drawing = GraphDrawing("O-A-B")
        drawing.erase("O")
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        #expect(try ancestry.isAncestor(drawing["O"], of: drawing["B"]))
    }

    @Test func looksAlongEveryLineBeforeItGoesFurther() throws {
        // The long line is the first parent; the ancestor is near on the other one.
        let drawing = Self.chain(1000)
        drawing.draw("C999-M")
        drawing.draw("X-M")
        drawing.erase("C0")
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        #expect(try ancestry.isAncestor(drawing["X"], of: drawing["M"]))
        #expect(drawing.objects.commitReads.count <= 2)
    }

    @Test func throwsWhereItMustLookAtACommitThatIsNotThere() throws {
        let drawing = GraphDrawing("O-A-B", "R-C")
        drawing.erase("O")
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        for name in ["R", "C", "nowhere"] {
            #expect(throws: MemoryObjects.Failure.missing(drawing["O"])) {
                try ancestry.isAncestor(drawing[name], of: drawing["B"])
            }
        }
    }

    @Test func readsEachCommitOnceWhateverWaysLeadToIt() throws {
        // Twenty diamonds on top of each other have a million ways through them.
        let drawing = GraphDrawing()
        for number in 0..<20 {
            drawing.draw("J\(number)-L\(number)-J\(number + 1)")
            drawing.draw("J\(number)-R\(number)-J\(number + 1)")
        }
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        #expect(try !ancestry.isAncestor(drawing["nowhere"], of: drawing["J20"]))
        #expect(drawing.objects.commitReads.values.allSatisfy { $0 == 1 })
        #expect(drawing.objects.commitReads.count == 61)
    }

    @Test func walksALongHistoryWithoutRecursion() throws {
        let drawing = Self.chain(many)
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        #expect(try ancestry.isAncestor(drawing["C0"], of: drawing["C\(many - 1)"]))
    }
}
