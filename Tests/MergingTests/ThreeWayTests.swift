import Merging
import TestSupport
import Testing

@Suite struct ThreeWayTests {
    @Test func decidesEveryRowOfTheVectors() throws {
        for row in try Vectors.rows("crypto", "three_way", count: 32) {
            let merged = try row.optionalBytes("merged")
            let decision = ThreeWay.decide(
                base: try row.optionalBytes("base"), ours: try row.optionalBytes("ours"),
                theirs: try row.optionalBytes("theirs"))
            if try row.flag("conflict") {
                #expect(decision == .conflict)
            } else {
                #expect(decision == .clean(merged))
            }
        }
    }

    static let values: [String?] = [nil, "X", "Y", "Z"]

    /// The whole table, read off its rule: who changed the value, and whether alike.
    @Test func decidesTheWholeTable() {
        for base in Self.values {
            for ours in Self.values {
                for theirs in Self.values {
                    let expected: ThreeWay.Decision<String> =
                        switch (ours == base, theirs == base) {
                        case (true, true): .clean(base)
                        case (true, false): .clean(theirs)
                        case (false, true): .clean(ours)
                        case (false, false): ours == theirs ? .clean(ours) : .conflict
                        }
                    #expect(ThreeWay.decide(base: base, ours: ours, theirs: theirs) == expected)
                }
            }
        }
    }

    @Test func decidesAlikeWithTheSidesExchanged() {
        for base in Self.values {
            for ours in Self.values {
                for theirs in Self.values {
                    #expect(
                        ThreeWay.decide(base: base, ours: ours, theirs: theirs)
                            == ThreeWay.decide(base: base, ours: theirs, theirs: ours))
                }
            }
        }
    }

    @Test func keepsADeletionOnBothSidesAsADeletion() {
        #expect(ThreeWay.decide(base: "X", ours: nil, theirs: nil) == .clean(nil))
    }
}
