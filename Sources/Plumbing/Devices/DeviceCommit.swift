import Cryptography
package import Objects
package import Store

/// Commits of one device: each is signed with its key, and its refs move to it in one transaction.
package struct DeviceCommit {
    private let copy: WorkingCopy
    private let store: BareStore
    private let hold: () throws -> StoreHold

    /// How often a commit is made anew because a writer without a hold came in between.
    private static let attempts = 8

    /// - Parameter hold: takes the hold on the store.
    package init(
        _ copy: WorkingCopy, _ store: BareStore,
        hold: @escaping () throws -> StoreHold
    ) {
        self.copy = copy
        self.store = store
        self.hold = hold
    }

    /// Makes one commit of a change on top of the newest head, and returns the head.
    ///
    /// The new objects that the change needs are on the disk before the hold is taken; what is made under it is trees
    /// and the commit. A change that changes nothing makes no commit.
    /// - Parameters:
    ///   - objects: where the change's own objects went.
    ///   - message: at most 740 bytes.
    ///   - time: milliseconds since 1970.
    ///   - prepare: what else must be ready before the refs move; what it returns is done once they have, under the
    ///     same hold.
    /// - Throws: `TreeEditError`, `DeviceError`, `StoreError`.
    package func make(
        _ change: TreeEdit, _ objects: NewObjects, message: [UInt8], time: Int,
        prepare: () throws -> () -> Void = { {} }
    ) throws -> ObjectID {
        try objects.flush()
        let hold = try hold()
        var attempt = 1
        while true {
            do {
                return try attemptOnce(change, objects, message, time, hold, prepare)
            } catch StoreError.refMoved where attempt < DeviceCommit.attempts {
                attempt += 1
            }
        }
    }

    private func attemptOnce(
        _ change: TreeEdit, _ objects: NewObjects, _ message: [UInt8], _ time: Int,
        _ hold: StoreHold, _ prepare: () throws -> () -> Void
    ) throws -> ObjectID {
        let device = try DeviceBranch(of: copy, in: store)
        let key = try signingKey(of: device.branch)
        let heads = try device.heads(in: store)
        let old = try heads.newest.map { try store.objects.commit($0).tree }
        let root = try old ?? objects.write(Tree(entries: []))
        if old == nil { try objects.flush() }
        let tree = try change.apply(to: root, reading: store.objects, writing: objects)
        if let head = heads.newest, tree == old { return head }
        let commit = Commit(
            tree: tree, parents: heads.newest.map { [$0] } ?? [],
            sealedMessage: objects.sealMessage(message), branch: device.branch.id, time: time
        ).signed(with: key.key, id: key.id)
        let id = try objects.write(commit)
        try objects.flush()
        let finish = try prepare()
        try move(device, heads, to: id, hold)
        finish()
        return id
    }

    /// This device's ref first, then the shared one; where there is a place to push to, that one says what is there.
    private func move(
        _ device: DeviceBranch, _ heads: DeviceBranch.Heads, to id: ObjectID, _ hold: StoreHold
    ) throws {
        var updates = [
            RefTransaction.Update(
                ref: device.ref, expected: RefExpectation(heads.device), new: id)
        ]
        updates.append(
            .init(
                ref: device.sharedRef, expected: RefExpectation(heads.shared),
                new: copy.hasRemote ? nil : id))
        let transaction = RefTransaction(hold)
        try transaction.prepare(updates)
        try transaction.commit()
    }

    private func signingKey(
        of branch: BranchIndex.Branch
    ) throws -> (key: P256.PrivateKey, id: [UInt8]) {
        guard let id = branch.key else { throw DeviceError.noSigningKey(path: copy.local) }
        return (try copy.signingKey(id, store.keys.key(id)), id)
    }
}
