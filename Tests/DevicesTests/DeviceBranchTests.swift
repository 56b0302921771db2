import Devices
import Objects
import Store
import TestSupport
import Testing

@Suite struct DeviceBranchTests {
    private let vault: DeviceVault

    init() throws { vault = try DeviceVault() }

    private func newest() throws -> ObjectID? {
        let store = try vault.store()
        return try DeviceBranch(of: vault.copy(), in: store).heads(in: store).newest
    }

    /// The case that a body throws.
    private func failure(_ body: () throws -> Any?) -> String {
        do {
            return "\(String(describing: try body()))"
        } catch DeviceError.readOnly {
            return "readOnly"
        } catch DeviceError.noBranch(let id) {
            return "noBranch \(String(decoding: id, as: UTF8.self))"
        } catch DeviceError.noTrackedBranch(let id) {
            return "noTrackedBranch \(String(decoding: id, as: UTF8.self))"
        } catch DeviceError.diverged(let device, let shared) {
            return "diverged \(device.text) \(shared.text)"
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Which branch

    @Test func isTheBranchOfTheCopyBesideTheOneItTracks() throws {
        let branch = try DeviceBranch(of: vault.copy(), in: vault.store())
        #expect(branch.ref == vault.deviceRef && branch.sharedRef == vault.sharedRef)
        #expect(branch.ref != branch.sharedRef)
    }

    @Test func tracksTheMainRefWhereItNamesNoBranch() throws {
        let vault = try DeviceVault { $0.creator = nil }
        let store = try vault.store()
        #expect(try DeviceBranch(of: vault.copy(), in: store).sharedRef == store.mainRef())
    }

    @Test func isNoneOfACopyWithoutABranch() throws {
        try vault.configure("{}")
        #expect(failure { try newest() } == "readOnly")
        try vault.configure("{\"my_branch_id\": \"branch-clone-ffffffffffffffff\"}")
        #expect(failure { try newest() } == "noBranch branch-clone-ffffffffffffffff")
    }

    @Test func tracksNoBranchThatIsNotThereOrOfADevice() throws {
        let absent = try DeviceVault { $0.creator = Array("branch-named-ffffffff".utf8) }
        #expect(
            failure { try DeviceBranch(of: absent.copy(), in: absent.store()) }
                == "noTrackedBranch branch-named-ffffffff")
        let itself = try DeviceVault { $0.creator = $0.id }
        let id = String(decoding: itself.device.id, as: UTF8.self)
        #expect(
            failure { try DeviceBranch(of: itself.copy(), in: itself.store()) }
                == "noTrackedBranch \(id)")
    }

    // MARK: - Heads

    @Test func hasNoHeadWhereNeitherHoldsACommit() throws {
        #expect(try newest() == nil)
    }

    @Test func takesTheHeadOfTheOneThatHasOne() throws {
        let commit = try vault.commit(["a"])
        try vault.point(device: commit, shared: nil)
        #expect(try newest() == commit)
        let other = try DeviceVault()
        let shared = try other.commit(["a"])
        try other.point(device: nil, shared: shared)
        let store = try other.store()
        #expect(try DeviceBranch(of: other.copy(), in: store).heads(in: store).newest == shared)
    }

    @Test func takesTheHeadThatHasAllOfTheOthersHistory() throws {
        let root = try vault.commit(["a"])
        let middle = try vault.commit(["b"], on: [root])
        let top = try vault.commit(["c"], on: [middle])
        try vault.point(device: root, shared: root)
        #expect(try newest() == root)
        try vault.point(device: top, shared: root)
        #expect(try newest() == top)
        try vault.point(device: root, shared: top)
        #expect(try newest() == top)
        // A merge has both sides, whichever parent they are.
        let side = try vault.commit(["d"], on: [root])
        let merge = try vault.commit(["e"], on: [top, side])
        try vault.point(device: side, shared: merge)
        #expect(try newest() == merge)
    }

    @Test func refusesHeadsOfWhichNeitherHasTheOther() throws {
        let root = try vault.commit(["a"])
        let (one, other) = (
            try vault.commit(["b"], on: [root]), try vault.commit(["c"], on: [root])
        )
        try vault.point(device: one, shared: other)
        #expect(failure { try newest() } == "diverged \(one.text) \(other.text)")
        let unrelated = try vault.commit(["d"])
        try vault.point(device: nil, shared: unrelated)
        #expect(failure { try newest() } == "diverged \(one.text) \(unrelated.text)")
    }

    @Test func looksNoFurtherThanItMust() throws {
        let root = try vault.commit(["a"])
        let middle = try vault.commit(["b"], on: [root])
        let top = try vault.commit(["c"], on: [middle])
        try vault.remove(".sg_vault/bare/data/" + root.text)
        try vault.point(device: top, shared: middle)
        #expect(try newest() == top)
    }
}
