import History
import Objects
import TestSupport
import Testing

/// Devices that edit and merge apart, as a whole: how "covered" makes them settle.
///
/// A commit's tree is the set of edits that its history holds, which is what a merge without conflicts makes of it.
@Suite struct ConvergenceTests {
    private final class Devices {
        let drawing = GraphDrawing("O")
        var heads: [ObjectID]
        private(set) var merges = 0
        private var edits: [ObjectID: Set<Int>] = [:]
        private var count = 0

        init(_ count: Int) {
            heads = Array(repeating: drawing["O"], count: count)
            edits[drawing["O"]] = []
        }

        private func commit(_ parents: [ObjectID], _ held: Set<Int>) -> ObjectID {
            count += 1
            let id = drawing["commit \(count)"]
            let tree = drawing[held.sorted().description]
            drawing.objects.commits[id] = Commit(
                tree: tree, parents: parents, sealedMessage: nil, branch: [], time: 0)
            edits[id] = held
            return id
        }

        func edit(_ device: Int) {
            let head = heads[device]
            heads[device] = commit([head], edits[head, default: []].union([count]))
        }

        /// What a device makes of its head and one that it reads elsewhere.
        func joined(_ mine: ObjectID, _ other: ObjectID) throws -> ObjectID {
            let graph = CommitGraph(drawing.objects)
            let coversOther = try Coverage(of: [mine], in: graph).covers(other)
            let isCovered = try Coverage(of: [other], in: graph).covers(mine)
            if coversOther, isCovered { return min(mine, other) }
            if coversOther { return mine }
            if isCovered { return other }
            merges += 1
            return commit(
                [mine, other], edits[mine, default: []].union(edits[other, default: []]))
        }

        /// Every device reads what all others had at the beginning.
        func readAll() throws {
            let before = heads
            for one in before.indices {
                for other in before.indices where other != one {
                    heads[one] = try joined(heads[one], before[other])
                }
            }
        }

        func isReached(_ commit: ObjectID) throws -> Bool {
            try Ancestry(CommitGraph(drawing.objects)).isAncestor(commit, of: heads[0])
        }
    }

    /// As many merges as another model of the same rules makes.
    @Test(arguments: [(devices: 3, merges: 9), (devices: 5, merges: 35)])
    func settlesInLockstep(_ row: (devices: Int, merges: Int)) throws {
        let devices = Devices(row.devices)
        for device in 0..<row.devices { devices.edit(device) }
        let edited = devices.heads
        for _ in 0..<3 { try devices.readAll() }
        #expect(Set(devices.heads).count == 1)
        #expect(devices.merges == row.merges)
        for edit in edited { #expect(try devices.isReached(edit)) }
    }

    @Test func settlesAfterAnyEditsAndMerges() throws {
        var numbers = SeededNumbers()
        for _ in 0..<60 {
            let count = 2 + numbers.below(4)
            let devices = Devices(count)
            var edited: [ObjectID] = []
            for _ in 0..<5 + numbers.below(20) {
                let device = numbers.below(count)
                if numbers.below(10) < 6 {
                    devices.edit(device)
                    edited.append(devices.heads[device])
                } else {
                    let other = devices.heads[numbers.below(count)]
                    devices.heads[device] = try devices.joined(devices.heads[device], other)
                }
            }
            let before = devices.merges
            for _ in 0..<4 { try devices.readAll() }
            #expect(Set(devices.heads).count == 1, "seed \(numbers.seed)")
            #expect(devices.merges - before <= 4 * count * count, "seed \(numbers.seed)")
            let settled = devices.merges
            try devices.readAll()
            #expect(devices.merges == settled, "seed \(numbers.seed)")
            for edit in edited { #expect(try devices.isReached(edit), "seed \(numbers.seed)") }
        }
    }
}
