import Cryptography
import Encodings
import Locks
import TestSupport
import Testing
import VaultFile
import VaultKeys

@Suite struct LockJoinTests {
    private func ids(_ list: LockList) -> [[UInt8]] { list.locks.map(\.id) }
    private func names(_ numbers: Int...) -> [[UInt8]] { numbers.map { DrawnLock.name($0) } }

    private let one = DrawnLock.lock(1)
    private let two = DrawnLock.lock(2)
    private let three = DrawnLock.lock(3, grants: "read")

    // MARK: - Locks and removals

    @Test func keepsTheLocksOfAllSides() {
        let join = LockJoin([DrawnLock.list([two]), DrawnLock.list([one, three])])
        #expect(ids(join.list) == names(1, 2, 3))
        #expect(join.altered.isEmpty && !join.keptRemoved)
    }

    @Test func ordersByTimeAndID() {
        let early = DrawnLock.lock(9, createdAt: "2026-01-01T00:00:00Z")
        let join = LockJoin([DrawnLock.list([two, one]), DrawnLock.list([early])])
        #expect(ids(join.list) == names(9, 1, 2))
    }

    @Test func whatOneSideRemovedStaysRemoved() {
        let join = LockJoin([DrawnLock.list([one, two]), DrawnLock.list([one], removed: [2, 7])])
        #expect(ids(join.list) == names(1))
        #expect(join.list.removed == names(2, 7))
        #expect(!join.keptRemoved)
    }

    @Test func memoryIsASide() {
        let join = LockJoin(
            [DrawnLock.list([one, two])], remembered: DrawnLock.list([one, three], removed: [2]))
        #expect(ids(join.list) == names(1, 3))
        #expect(join.list.removed == names(2))
    }

    @Test func aListAloneIsItself() {
        let list = DrawnLock.list([one, two], removed: [5])
        #expect(LockJoin([list]).list == list)
        #expect(LockJoin([list, list], remembered: list).list == list)
    }

    // MARK: - The last lock

    @Test func twoDevicesThatRemovedEachOthersLockRemoveNothing() {
        let left = DrawnLock.list([one, three], removed: [2])
        let right = DrawnLock.list([two, three], removed: [1])
        for join in [LockJoin([left, right]), LockJoin([right, left])] {
            #expect(ids(join.list) == names(1, 2, 3))
            #expect(join.list.removed.isEmpty)
            #expect(join.keptRemoved)
        }
    }

    @Test func whatBothHadRemovedIsRemovedEvenThen() {
        let left = DrawnLock.list([one], removed: [2, 4, 5])
        let right = DrawnLock.list([two], removed: [1, 4])
        let join = LockJoin([left, right])
        #expect(ids(join.list) == names(1, 2))
        #expect(join.list.removed == names(4))
        #expect(join.keptRemoved)
    }

    @Test func aReadLockIsNoLastLock() {
        // Three, a read lock, stays; still nothing would grant the vault key.
        let join = LockJoin([
            DrawnLock.list([one, three]), DrawnLock.list([three], removed: [1]),
        ])
        #expect(ids(join.list) == names(1, 3))
        #expect(join.keptRemoved)
    }

    @Test func listsThatNeverGrantedTheVaultKeyAreJoinedAsAlways() {
        let join = LockJoin([DrawnLock.list([three]), DrawnLock.list([], removed: [3])])
        #expect(join.list == DrawnLock.list([], removed: [3]))
        #expect(!join.keptRemoved)
    }

    @Test func settlesAtOnce() {
        let left = DrawnLock.list([one], removed: [2])
        let right = DrawnLock.list([two], removed: [1])
        let joined = LockJoin([left, right]).list
        #expect(LockJoin([joined, joined]).list == joined)
    }

    // MARK: - One id, two locks

    @Test func takesTheGreaterOfTwoThatMeanTheSame() {
        let plain = DrawnLock.lock(1)
        for other in [
            DrawnLock.lock(1, label: "renamed"),
            DrawnLock.lock(1, createdAt: "2027-01-01T00:00:00Z"),
            DrawnLock.lock(1, createdAt: "2020-01-01T00:00:00Z"),
            DrawnLock.lock(1, rehearsedAt: "2027-01-01T00:00:00Z"),
        ] {
            let greater =
                plain.canonical.lexicographicallyPrecedes(other.canonical) ? other : plain
            for lists in [[plain, other], [other, plain]] {
                let join = LockJoin(lists.map { DrawnLock.list([$0]) })
                #expect(join.list.locks == [greater])
                #expect(join.altered.isEmpty)
            }
            #expect(
                LockJoin([DrawnLock.list([other])], remembered: DrawnLock.list([plain])).list.locks
                    == [greater])
        }
    }

    @Test func reportsAnAlteredLockAndTakesTheLesser() {
        let honest = DrawnLock.lock(1, sealed: "11")
        for other in [
            DrawnLock.lock(1, sealed: "00"), DrawnLock.lock(1, kind: "passphrase", sealed: "11"),
            DrawnLock.lock(1, grants: "read", sealed: "11"),
        ] {
            let lesser =
                honest.canonical.lexicographicallyPrecedes(other.canonical) ? honest : other
            for lists in [[honest, other], [other, honest]] {
                let join = LockJoin(lists.map { DrawnLock.list([$0]) })
                #expect(join.list.locks == [lesser])
                #expect(join.altered == names(1))
            }
        }
    }

    @Test func keepsTheRememberedOneOfAnAlteredLock() {
        let known = DrawnLock.lock(1, sealed: "11")
        for sealed in ["00", "22"] {
            let file = DrawnLock.list([DrawnLock.lock(1, sealed: sealed)])
            let join = LockJoin([file], remembered: DrawnLock.list([known]))
            #expect(join.list.locks == [known])
            #expect(join.altered == names(1))
        }
    }

    @Test func aLockThatWasJustSealedIsTheOneInTheFile() throws {
        let key = try KeyString.parse(TestKeys.secret("some words:abcd1234"))
        let text = try Passphrase.read(TestKeys.secret("words"))
        let sealed = try Lock.seal(
            key, grant: .vault,
            under: .passphrase(text, .argon2id(memory: 19_456, passes: 2)),
            createdAt: Array("2026-11-30T12:00:00Z".utf8), label: [], random: .system)
        let read = try Lock.read(line: sealed.line(vaultID: Array("abcd1234".utf8))).lock
        let join = LockJoin([DrawnLock.list([sealed]), DrawnLock.list([read])])
        #expect(join.altered.isEmpty)
        #expect(join.list.locks.map(\.canonical) == [read.canonical])
    }

    @Test func aRemovedLockIsGoneThoughItWasAltered() {
        let join = LockJoin([
            DrawnLock.list([DrawnLock.lock(1, sealed: "00"), two]),
            DrawnLock.list([DrawnLock.lock(1, sealed: "11"), two]),
            DrawnLock.list([two], removed: [1]),
        ])
        #expect(ids(join.list) == names(2))
    }

    // MARK: - Any order

    /// A list of a few locks of few ids, so that they meet.
    private func draw(_ numbers: inout SeededNumbers) -> LockList {
        var locks: [Lock] = []
        var removed: [Int] = []
        for id in 1...4 {
            switch numbers.below(4) {
            case 0: removed.append(id)
            case 1: break
            default:
                locks.append(
                    DrawnLock.lock(
                        id, grants: id == 4 ? "read" : "vault",
                        label: ["", "a", "b"][numbers.below(3)],
                        createdAt: "202\(numbers.below(3))-01-01T00:00:00Z",
                        sealed: ["00", "11"][numbers.below(2)]))
            }
        }
        return DrawnLock.list(locks, removed: removed)
    }

    private func check(_ count: Int, remembering: Bool) {
        var numbers = SeededNumbers()
        for _ in 0..<400 {
            let lists = (0..<count).map { _ in draw(&numbers) }
            let memory = remembering ? draw(&numbers) : nil
            let join = LockJoin(lists, remembered: memory)
            let other = LockJoin(lists.shuffled(using: &numbers), remembered: memory)
            let isOne =
                join.list == other.list && join.keptRemoved == other.keptRemoved
                && Set(join.altered) == Set(other.altered)
            #expect(isOne, "seed \(numbers.seed)")
            if !isOne { return }
        }
    }

    @Test(arguments: [true, false]) func twoListsAreJoinedInEitherOrder(remembering: Bool) {
        check(2, remembering: remembering)
    }

    @Test(arguments: [true, false]) func moreListsAreJoinedInAnyOrder(remembering: Bool) {
        check(4, remembering: remembering)
    }

    @Test func losesNothing() {
        var numbers = SeededNumbers()
        for _ in 0..<400 {
            let lists = [draw(&numbers), draw(&numbers)]
            let join = LockJoin(lists)
            let all = Set(lists.flatMap(\.locks).map(\.id))
            let removed = Set(join.list.removed)
            #expect(
                Set(join.list.locks.map(\.id)) == all.subtracting(removed), "seed \(numbers.seed)")
            #expect(
                join.list.grantsVault || !lists.contains(where: \.grantsVault)
                    || join.list.removed.contains { all.contains($0) }, "seed \(numbers.seed)")
            #expect(LockJoin([join.list, join.list]).list == join.list, "seed \(numbers.seed)")
        }
    }
}
