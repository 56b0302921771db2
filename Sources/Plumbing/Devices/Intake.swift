import Cryptography
import FileSystem
import History
import Objects
import Store
import VaultFile
import VaultKeys

/// What another copy of the vault holds comes to this device: objects and keys, what the index lists, heads that go on
/// from the ones here.
///
/// Only right under the hold on the device's copy.
struct Intake {
    private let copy: WorkingCopy
    private let store: BareStore
    private let random: RandomBytes
    private let runtimeFolder: String?

    init(_ copy: WorkingCopy, _ store: BareStore, random: RandomBytes, runtimeFolder: String?) {
        self.copy = copy
        self.store = store
        self.random = random
        self.runtimeFolder = runtimeFolder
    }

    /// Takes in a verified file; afterwards this device holds all that the file holds.
    ///
    /// - Throws: `DeviceError.diverged` where the file's shared head and this device's each have commits that the other
    ///   has not; then no ref and no index has changed.
    func take(_ file: VaultFile) throws {
        try addObjects(of: file)
        let hold = try StoreHold(on: store, random: random, runtimeFolder: runtimeFolder)
        let mainRef = try store.mainRef()
        let device = try copy.isReadOnly ? nil : DeviceBranch(of: copy, in: store)
        let ours = try device?.heads(in: store).newest ?? store.refs.read(mainRef).head
        let theirs = file.header.heads.first { $0.ref == mainRef }?.commit
        let (head, later) = try joined(ours, theirs)

        if let index = try file.branchIndex(store) {
            try hold.editIndex { own in
                own = try own.joined(with: index, own: copy.branchID, later: later)
            }
        }
        try moveRefs(file, to: head, mainRef, device?.ref, hold)
    }

    // MARK: -

    private func addObjects(of file: VaultFile) throws {
        let source = VaultFileSource(file)
        let own = StoreFiles(store.layout, name: store.layout.bare)
        let known = try Set(own.names())
        guard source.names().contains(where: { !known.contains($0) }) else { return }
        try Union(of: [source], into: store.layout).write(runtimeFolder: runtimeFolder)
        store.forget()
    }

    /// The head that the two go on with, and whose history is the later one.
    private func joined(
        _ ours: ObjectID?, _ theirs: ObjectID?
    ) throws -> (head: ObjectID?, later: LaterHistory) {
        guard let ours, let theirs, ours != theirs else {
            return (ours ?? theirs, ours == nil && theirs != nil ? .theirs : .neither)
        }
        let graph = CommitGraph(store.objects)
        let oursCovers = try Coverage(of: [ours], in: graph).covers(theirs)
        let theirsCovers = try Coverage(of: [theirs], in: graph).covers(ours)
        switch (oursCovers, theirsCovers) {
        case (true, true): return (min(ours, theirs), .neither)
        case (true, false): return (ours, .ours)
        case (false, true): return (theirs, .theirs)
        case (false, false): throw DeviceError.diverged(device: ours, shared: theirs)
        }
    }

    /// This device's ref and the shared one go to the joined head; of any other ref the later one counts, and where
    /// neither is later the lower id.
    private func moveRefs(
        _ file: VaultFile, to head: ObjectID?, _ mainRef: String, _ deviceRef: String?,
        _ hold: StoreHold
    ) throws {
        var updates: [RefTransaction.Update] = []
        if let head {
            let own = deviceRef.map { [$0, mainRef] } ?? [mainRef]
            // Where sgit has a place to push to, the shared ref says what is there.
            for ref in own where ref != mainRef || !copy.hasRemote {
                updates.append(
                    .init(
                        ref: ref, expected: RefExpectation(try store.refs.read(ref)), new: head))
            }
        }
        for other in file.header.heads where other.ref != mainRef && other.ref != deviceRef {
            guard let theirs = other.commit else { continue }
            let content = try store.refs.read(other.ref)
            updates.append(
                .init(
                    ref: other.ref, expected: RefExpectation(content),
                    new: try content.head.map { try later($0, theirs) } ?? theirs))
        }
        let transaction = RefTransaction(hold)
        try transaction.prepare(updates)
        try transaction.commit()
    }

    private func later(_ ours: ObjectID, _ theirs: ObjectID) throws -> ObjectID {
        guard ours != theirs else { return ours }
        let graph = CommitGraph(store.objects)
        let oursCovers = try Coverage(of: [ours], in: graph).covers(theirs)
        let theirsCovers = try Coverage(of: [theirs], in: graph).covers(ours)
        if oursCovers != theirsCovers { return oursCovers ? ours : theirs }
        return min(ours, theirs)
    }
}
