import History
import Objects
import TestSupport
import Testing

extension GraphDrawing {
    /// Gives these commits one tree.
    fileprivate func share(_ tree: String, _ names: String...) {
        for name in names { objects.commits[self[name]]?.tree = self["tree \(tree)"] }
    }

    fileprivate func covers(_ heads: String, _ head: String) throws -> Bool {
        try Coverage(of: ids(heads), in: CommitGraph(objects)).covers(self[head])
    }
}

@Suite struct CoverageTests {
    /// Two devices that merge the same pair apart.
    private func merged(sameTree: Bool) -> GraphDrawing {
        let drawing = GraphDrawing("O-A-M", "O-B-M", "A-N", "B-N")
        if sameTree { drawing.share("both", "M", "N") }
        return drawing
    }

    // MARK: - The rule

    @Test func coversItselfAndItsAncestors() throws {
        let drawing = GraphDrawing("O-A-M", "O-B-M")
        for name in ["O", "A", "B", "M"] { #expect(try drawing.covers("M", name)) }
    }

    @Test func doesNotCoverAChildOrASibling() throws {
        let drawing = GraphDrawing("O-A", "O-B")
        #expect(try !drawing.covers("O", "A"))
        #expect(try !drawing.covers("B", "A"))
        #expect(try drawing.covers("AB", "A"))
    }

    @Test func coversAMergeOfTheSameTree() throws {
        let drawing = merged(sameTree: true)
        #expect(try drawing.covers("M", "N"))
        #expect(try drawing.covers("N", "M"))
    }

    @Test func doesNotCoverAMergeOfAnotherTree() throws {
        let drawing = merged(sameTree: false)
        #expect(try !drawing.covers("M", "N"))
        #expect(try !drawing.covers("N", "M"))
    }

    @Test func doesNotCoverAMergeOfWhatItDoesNotHold() throws {
        let drawing = merged(sameTree: true)
        #expect(try !drawing.covers("A", "N"))
        #expect(try !drawing.covers("B", "N"))
    }

    @Test func coversAMergeWhoseTreeWasThereBefore() throws {
        // N took ours for everything: it adds no tree to what A and B had.
        let drawing = merged(sameTree: false)
        drawing.share("ours", "A", "N")
        #expect(try drawing.covers("AB", "N"))
        #expect(try drawing.covers("M", "N"))
        #expect(try !drawing.covers("A", "N"))
    }

    @Test func doesNotCoverACommitOfOneParentWhateverItsTree() throws {
        // An edit that undoes another has an old tree, and is still something that somebody did.
        let drawing = GraphDrawing("O-A-B")
        drawing.share("old", "O", "B")
        #expect(try !drawing.covers("A", "B"))
    }

    @Test func takesACommitThatNamesOneParentTwiceForNoMerge() throws {
        let drawing = GraphDrawing("O-M", "O-M")
        drawing.share("old", "O", "M")
        #expect(try !drawing.covers("O", "M"))
    }

    @Test func doesNotCoverARootOfItsOwn() throws {
        let drawing = GraphDrawing("O-A", "R")
        drawing.share("equal", "A", "R")
        #expect(try !drawing.covers("A", "R"))
    }

    @Test func asksEveryMergeOnTheWay() throws {
        // N and P lie above each other; both trees must be known.
        let drawing = merged(sameTree: true)
        drawing.draw("N-P")
        drawing.draw("A-P")
        #expect(try !drawing.covers("M", "P"))
        drawing.share("both", "P")
        #expect(try drawing.covers("M", "P"))
        drawing.share("other", "N")
        #expect(try !drawing.covers("M", "P"))
    }

    @Test func seesAnEditBelowAMerge() throws {
        let drawing = merged(sameTree: true)
        drawing.draw("O-C-P")
        drawing.draw("N-P")
        drawing.share("both", "P")
        #expect(try !drawing.covers("M", "P"))
        #expect(try drawing.covers("MC", "P"))
    }

    @Test func coversACrissCross() throws {
        // Both merged the same pair apart, and then each other's merge.
        let drawing = merged(sameTree: true)
        for line in ["M-P", "N-P", "N-Q", "M-Q"] { drawing.draw(line) }
        drawing.share("both", "P", "Q")
        for (one, other) in [("P", "Q"), ("Q", "P"), ("M", "Q"), ("N", "P")] {
            #expect(try drawing.covers(one, other))
        }
        drawing.share("new", "Q")
        #expect(try !drawing.covers("P", "Q"))
    }

    @Test func coversAnOctopus() throws {
        let drawing = GraphDrawing("O-A-M", "O-B-M", "O-C-M", "A-N", "B-N", "N-P", "C-P")
        drawing.share("all", "M", "P")
        drawing.share("two", "N")
        #expect(try drawing.covers("P", "M"))
        // The tree of A and B alone is in no commit that M reaches.
        #expect(try !drawing.covers("M", "P"))
    }

    @Test func takesSeveralHeadsTogether() throws {
        let drawing = GraphDrawing("O-A-M", "O-B-M", "R-C")
        drawing.share("old", "A", "M")
        #expect(try drawing.covers("AB", "M"))
        #expect(try !drawing.covers("CB", "M"))
        #expect(try drawing.covers("CAB", "C"))
    }

    @Test func coversNothingWithoutHeads() throws {
        let drawing = GraphDrawing("O-A")
        #expect(try !drawing.covers("", "O"))
    }

    /// The definition, word by word, on random graphs.
    @Test func agreesWithTheDefinition() throws {
        var numbers = SeededNumbers()
        for _ in 0..<300 {
            let drawing = GraphDrawing()
            let count = 2 + numbers.below(9)
            let names = (0..<count).map { "C\($0)" }
            for (index, name) in names.enumerated() {
                drawing.draw(name)
                for _ in 0..<(index == 0 ? 0 : numbers.below(4)) {
                    drawing.draw("\(names[numbers.below(index)])-\(name)")
                }
                drawing.share("\(numbers.below(3))", name)
            }
            func reach(_ starts: [ObjectID]) -> Set<ObjectID> {
                var found: Set<ObjectID> = []
                var waiting = starts
                while let id = waiting.popLast() {
                    guard found.insert(id).inserted else { continue }
                    waiting += drawing.objects.commits[id]?.parents ?? []
                }
                return found
            }
            let heads = (0..<numbers.below(3)).map { _ in drawing[names[numbers.below(count)]] }
            let own = reach(heads)
            let trees = Set(own.compactMap { drawing.objects.commits[$0]?.tree })
            let coverage = try Coverage(of: heads, in: CommitGraph(drawing.objects))
            for name in names {
                let expected = reach([drawing[name]]).subtracting(own).allSatisfy { id in
                    guard let commit = drawing.objects.commits[id] else { return false }
                    return Set(commit.parents).count > 1 && trees.contains(commit.tree)
                }
                #expect(try coverage.covers(drawing[name]) == expected, "seed \(numbers.seed)")
            }
        }
    }

    // MARK: - What is not there

    @Test func throwsForAMissingCommitOnEitherSide() throws {
        for (heads, head) in [("A", "C"), ("C", "A"), ("O", "A"), ("A", "O")] {
            let drawing = GraphDrawing("O-A", "O-B-C")
            drawing.erase("O")
            #expect(throws: MemoryObjects.Failure.missing(drawing["O"])) {
                try drawing.covers(heads, head)
            }
        }
    }

    @Test func throwsForAMissingCommitAlsoWhereTheAnswerIsKnown() throws {
        // C is an edit that A does not hold; what lies below it is gone.
        for line in ["A-C", "B-C"] {
            let drawing = GraphDrawing("O-A", "O-B")
            drawing.draw(line)
            drawing.draw("X-C")
            drawing.erase("X")
            #expect(throws: MemoryObjects.Failure.missing(drawing["X"])) {
                try drawing.covers("A", "C")
            }
        }
    }

    @Test func needsNoTree() throws {
        let drawing = merged(sameTree: true)
        #expect(drawing.objects.trees.isEmpty)
        #expect(try drawing.covers("M", "N"))
    }

    // MARK: - Cost

    @Test func readsTheHistoryOnceForManyQuestions() throws {
        let drawing = GraphDrawing()
        drawing.draw((0..<200).map { "C\($0)" }.joined(separator: "-"))
        drawing.draw("C199-D")
        let coverage = try Coverage(of: [drawing["C199"]], in: CommitGraph(drawing.objects))
        for number in 0..<200 { #expect(try coverage.covers(drawing["C\(number)"])) }
        for _ in 0..<200 { #expect(try !coverage.covers(drawing["D"])) }
        #expect(drawing.objects.commitReads.values.allSatisfy { $0 == 1 })
        #expect(drawing.objects.commitReads.count == 201)
    }

    @Test func findsTheTreeOfAMergeNearTheHeads() throws {
        let drawing = GraphDrawing()
        let history = (0..<500).map { "C\($0)" }.joined(separator: "-")
        for line in [history + "-A-M", "C499-B-M", "A-N", "B-N"] { drawing.draw(line) }
        drawing.share("both", "M", "N")
        let coverage = try Coverage(of: [drawing["M"]], in: CommitGraph(drawing.objects))
        #expect(try coverage.covers(drawing["N"]))
        #expect(drawing.objects.commitReads[drawing["C0"]] == 1)
        #expect(drawing.objects.commitReads[drawing["M"]] == 2)
    }

    @Test func readsEachTreeAtMostOnceForManyMerges() throws {
        let drawing = GraphDrawing("O-A-M", "O-B-M")
        for number in 0..<50 {
            drawing.draw("A-N\(number)")
            drawing.draw("B-N\(number)")
        }
        let coverage = try Coverage(of: [drawing["M"]], in: CommitGraph(drawing.objects))
        for number in 0..<50 { #expect(try !coverage.covers(drawing["N\(number)"])) }
        for name in ["O", "A", "B", "M"] {
            #expect(drawing.objects.commitReads[drawing[name]] == 2)
        }
    }

    @Test func walksALongHistoryWithoutRecursion() throws {
        let drawing = GraphDrawing()
        let count = max(many, 100_000)
        drawing.draw((0..<count).map { "C\($0)" }.joined(separator: "-"))
        drawing.draw("C\(count - 1)-A-M")
        drawing.draw("C\(count - 1)-B-M")
        drawing.draw("A-N")
        drawing.draw("B-N")
        drawing.share("old", "C0", "N")
        let coverage = try Coverage(of: [drawing["M"]], in: CommitGraph(drawing.objects))
        #expect(try coverage.covers(drawing["N"]))
        let old = try Coverage(of: [drawing["C0"]], in: CommitGraph(drawing.objects))
        #expect(try !old.covers(drawing["N"]))
    }
}
