import Encodings
import Store
import Testing

@Suite struct IndexJoinTests {
    private func index(_ text: String) throws -> BranchIndex {
        try BranchIndex.decode(Array(text.utf8)[...])
    }

    private func branch(_ digit: String, _ more: String = "") -> String {
        let kind = digit == "a" ? "named" : "clone"
        return #"{"branch_id": "branch-\#(kind)-000000000000000\#(digit)", "name": "n\#(digit)", "#
            + #""branch_type": "\#(kind)", "head_ref_id": "ref-pid-muw-00000000000\#(digit)"\#(more)}"#
    }

    private func listed(_ branches: String..., more: String = "") throws -> BranchIndex {
        try index(#"{"branches": [\#(branches.joined(separator: ", "))]\#(more)}"#)
    }

    private func stored(_ index: BranchIndex) -> [UInt8] {
        JSONWriter.write(index.document, .stored)
    }

    private let own = Array("branch-clone-000000000000000b".utf8)

    @Test func noBranchIsLostAndNoneStandsTwice() throws {
        let one = try listed(branch("a"), branch("b"))
        let other = try listed(branch("a"), branch("c"))
        for later in [LaterHistory.ours, .theirs, .neither] {
            let joined = try one.joined(with: other, own: own, later: later)
            #expect(joined.branches.map { $0.name.last } == [0x61, 0x62, 0x63])
            let back = try other.joined(with: one, own: nil, later: later)
            #expect(joined.means(theSameAs: back))
        }
    }

    @Test func whatMeansTheSameKeepsTheSameBytesOnBothSides() throws {
        let one = try listed(branch("a"), branch("b"))
        let other = try listed(branch("b"), branch("a"))
        #expect(one.means(theSameAs: other) && stored(one) != stored(other))
        let here = try one.joined(with: other, own: own, later: .neither)
        let there = try other.joined(with: one, own: nil, later: .neither)
        #expect(stored(here) == stored(there))
        let again = try here.joined(with: there, own: own, later: .ours)
        #expect(stored(again) == stored(here))
    }

    @Test func aMemberThatIsNullTakesTheOthersValue() throws {
        let bare = try listed(branch("b", #", "display_name": null"#))
        let named = try listed(branch("b", #", "display_name": "desk", "x-new": 1"#))
        for (one, other) in [(bare, named), (named, bare)] {
            let joined = try one.joined(with: other, own: own, later: .neither)
            #expect(joined.branches[0].displayName == Array("desk".utf8))
            #expect(String(decoding: stored(joined), as: UTF8.self).contains("x-new"))
        }
    }

    @Test func theOwnEntryStaysAndOfOthersTheLesserBytesDo() throws {
        let one = try listed(
            branch("b", #", "display_name": "z""#), branch("c", #", "display_name": "z""#))
        let other = try listed(
            branch("b", #", "display_name": "a""#), branch("c", #", "display_name": "a""#))
        let joined = try one.joined(with: other, own: own, later: .ours)
        #expect(joined.branches.map(\.displayName) == [Array("z".utf8), Array("a".utf8)])
        let back = try other.joined(with: one, own: nil, later: .ours)
        #expect(back.branches.map(\.displayName) == [Array("a".utf8), Array("a".utf8)])
    }

    @Test func theGateComesFromTheLaterHistoryAndIsNeverTakenBackWithoutOne() throws {
        let open = try listed(branch("a"), more: #", "format": null, "features": []"#)
        let strict = try listed(
            branch("a"), more: #", "format": 2, "features": ["ids-128", "signatures-required"]"#)
        #expect(try open.joined(with: strict, own: nil, later: .ours).gate.effectiveFormat == 1)
        for (one, other, later) in [
            (open, strict, LaterHistory.theirs), (strict, open, .ours), (open, strict, .neither),
            (strict, open, .neither),
        ] {
            let gate = try one.joined(with: other, own: nil, later: later).gate
            #expect(gate.effectiveFormat == 2 && gate.features.count == 2)
        }
    }

    @Test func unknownMembersAndTagsOfBothAreKept() throws {
        let one = try listed(branch("a"), more: #", "x-one": [1], "tags": [{"name": "t", "x": 1}]"#)
        let other = try listed(
            branch("a"), more: #", "x-two": {}, "tags": [{"name": "t", "x": 1}, {"name": "u"}]"#)
        let text = String(
            decoding: stored(try one.joined(with: other, own: nil, later: .neither)), as: UTF8.self
        )
        #expect(text.contains("x-one") && text.contains("x-two"))
        let tags = try JSONReader.read(Array(text.utf8))["tags"]?.elements
        #expect(tags?.count == 2)
    }

    @Test func manyBranchesAreJoinedInNoTimeToSpeakOf() throws {
        func many(_ first: Int) throws -> BranchIndex {
            let branches = (first..<first + 2000).map { number in
                let digits = String(number, radix: 16)
                let id = String(repeating: "0", count: 16 - digits.utf8.count) + digits
                return
                    #"{"branch_id": "branch-clone-\#(id)", "name": "n", "branch_type": "clone", "#
                    + #""head_ref_id": "ref-pid-snw-\#(id.dropFirst(4))"}"#
            }
            return try index(#"{"branches": [\#(branches.joined(separator: ","))]}"#)
        }
        let joined = try many(0).joined(with: many(1000), own: nil, later: .ours)
        #expect(joined.branches.count == 3000)
    }
}
