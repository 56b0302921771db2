import Cryptography
import History
package import Objects
package import Store

/// This device's branch beside the shared one that it tracks.
package struct DeviceBranch {
    let branch: BranchIndex.Branch
    /// The ref of this device's branch.
    package var ref: String { String(decoding: branch.ref, as: UTF8.self) }
    /// The ref of the branch that it tracks.
    package let sharedRef: String

    /// - Throws: `DeviceError.readOnly`, `.noBranch`, `.noTrackedBranch`.
    package init(of copy: WorkingCopy, in store: BareStore) throws {
        guard let id = copy.branchID else { throw DeviceError.readOnly(path: copy.root) }
        guard let branch = try store.branch(id: id) else {
            // With the key of another vault there is no index to be found.
            if try store.index() == nil { try store.explainAbsence() }
            throw DeviceError.noBranch(id: id)
        }
        self.branch = branch
        guard let creator = branch.creator else {
            sharedRef = try store.mainRef()
            return
        }
        guard let shared = try store.branch(id: creator), shared.kind == .named else {
            throw DeviceError.noTrackedBranch(id: creator)
        }
        sharedRef = String(decoding: shared.ref, as: UTF8.self)
    }

    /// What the two refs hold.
    package struct Heads {
        let device: Refs.Content
        let shared: Refs.Content
        /// The one that has all of the other's history; nil where neither holds a commit.
        package let newest: ObjectID?
    }

    /// - Throws: `DeviceError.diverged` where neither has all of the other's history.
    package func heads(in store: BareStore) throws -> Heads {
        let device = try store.refs.read(ref)
        let shared = try store.refs.read(sharedRef)
        return Heads(
            device: device, shared: shared,
            newest: try newest(device.head, shared.head, store.objects))
    }

    private func newest(
        _ device: ObjectID?, _ shared: ObjectID?, _ objects: any ObjectReader
    ) throws -> ObjectID? {
        guard let device, let shared, device != shared else { return device ?? shared }
        let ancestry = Ancestry(CommitGraph(objects))
        // A commit that was not pushed yet is the usual case, and found at once.
        do {
            if try ancestry.isAncestor(shared, of: device) { return device }
        } catch let StoreError.missing(id) {
            // A copy without old commits may still show that this device is the one behind.
            guard try ancestry.isAncestor(device, of: shared) else { throw StoreError.missing(id) }
            return shared
        }
        if try ancestry.isAncestor(device, of: shared) { return shared }
        throw DeviceError.diverged(device: device, shared: shared)
    }
}
