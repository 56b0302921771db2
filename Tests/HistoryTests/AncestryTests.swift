import History
import Objects
import TestSupport
import Testing

@Suite struct AncestryTests {
    @Test func countsACommitAsItsOwnAncestor() throws {
        let drawing = GraphDrawing("O-A")
        #expect(
            try Ancestry(CommitGraph(drawing.objects)).isAncestor(drawing["A"], of: drawing["A"]))
    }

    @Test func followsAllParents() throws {
        let drawing = GraphDrawing("O-A-M", "R-B-M", "O-C")
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        for name in ["O", "A", "R", "B", "M"] {
            #expect(try ancestry.isAncestor(drawing[name], of: drawing["M"]))
        }
        #expect(try !ancestry.isAncestor(drawing["C"], of: drawing["M"]))
        #expect(try !ancestry.isAncestor(drawing["M"], of: drawing["A"]))
    }

    @Test func throwsForACommitThatIsNotThere() throws {
        let drawing = GraphDrawing("O-A-B")
        drawing.erase("O")
        #expect(throws: MemoryObjects.Failure.missing(drawing["O"])) {
            try Ancestry(CommitGraph(drawing.objects)).isAncestor(drawing["B"], of: drawing["A"])
        }
    }

    @Test func looksNoFurtherThanItMust() throws {
        let drawing = GraphDrawing("O-A-B")
        drawing.erase("O")
        let ancestry = Ancestry(CommitGraph(drawing.objects))
        #expect(try ancestry.isAncestor(drawing["A"], of: drawing["B"]))
    }
}
