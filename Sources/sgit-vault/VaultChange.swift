import CommandInterface
import Cryptography
import Devices
import Objects
import Plumbing
import Store

/// One change of a vault: what is put and removed, and the one commit that it becomes.
final class VaultChange {
    private let vault: OpenVault
    private let call: Invocation
    private let copy: WorkingCopy
    private let files: CheckedOutFiles
    private let objects: NewObjects
    private let head: ObjectID?
    /// The tree of the head.
    private let root: ObjectID?
    private var trees: [ObjectID: Tree] = [:]
    private var edit = TreeEdit()
    private var steps: [CheckedOutFiles.Step] = []
    /// The new blob of each path that is put.
    private var blobs: [[EntryName]: ObjectID] = [:]
    /// What a person is told once the commit is there.
    private var said: [String] = []
    private var counts = (added: 0, modified: 0, deleted: 0)

    init(_ vault: OpenVault, _ call: Invocation) throws {
        self.vault = vault
        self.call = call
        copy = try vault.writableCopy()
        files = try CheckedOutFiles(copy)
        objects = try NewObjects(in: vault.open.bare, random: .system)
        head = try vault.newestHead(of: copy)
        root = try head.map { try vault.open.objects.commit($0).tree }
    }

    /// Stores the bytes of a source, unless the head has the same at its path.
    func put(_ source: PutSources.Source) throws {
        try put(inRoom: source.read(), at: source.path)
    }

    /// Stores bytes, unless the head has the same at the path.
    func put(_ bytes: [UInt8], at path: [EntryName]) throws {
        try put(inRoom: EnvelopeLayout.room(for: bytes), at: path)
    }

    /// - Parameter bytes: with the room around them that sealing needs.
    private func put(inRoom bytes: [UInt8], at path: [EntryName]) throws {
        let end = bytes.count - EnvelopeLayout.roomAfter
        let digest = SHA256.digest(bytes[EnvelopeLayout.roomBefore..<end])
        let old = try entry(at: path)
        if case .blob(let id, let facts)? = old,
            try holds(id, facts, end - EnvelopeLayout.roomBefore, digest)
        {
            return
        }
        if case .tree? = old { throw TreeEditError.folderInTheWay(path) }
        let step = try files.step(
            path, isOld: { try self.isHeld($0, by: old) },
            isNew: { SHA256.digest($0) == digest })
        if let step { steps.append(step) }
        var facts = BlobFacts(
            of: bytes[EnvelopeLayout.roomBefore..<end],
            name: path[path.count - 1].bytes,
            storedSize: 0)
        let envelope = objects.seal(blobInRoom: bytes)
        facts.isLarge = envelope.count > BlobFacts.largestSmallEnvelope
        let blob = try objects.write(envelope: envelope)
        blobs[path] = blob
        edit.ask(.put(blob, facts), at: path)
        if old == nil { counts.added += 1 } else { counts.modified += 1 }
        said.append(
            "\(old == nil ? "added" : "changed") \(quoted(PrettyLayout.path(path))), \(facts.size) bytes"
        )
    }

    /// Removes the file at a path, or with `below` all that is below it.
    func remove(_ path: [EntryName], below: Bool) throws {
        switch try entry(at: path) {
        case nil: throw TreeEditError.noSuchPath(path)
        case .tree(let id)?:
            guard below else { throw TreeEditError.folderInTheWay(path) }
            var walk = TreeWalk(vault.open.objects)
            walk.passesBarrenFolders = true
            var isBarren = true
            try walk.run(id) { names, entry in
                if entry.target.kind == .tree { return .enter }
                isBarren = false
                // Each for itself: what another writer adds to the folder meanwhile stays.
                try removeFile(path + names, entry.target)
                edit.ask(.clear, at: path + names)
                return .pass
            }
            if isBarren { edit.ask(.clear, at: path) }
        case .some(let target):
            try removeFile(path, target)
            edit.ask(.clear, at: path)
        }
    }

    private func removeFile(_ path: [EntryName], _ target: TreeTarget) throws {
        let step = try files.step(path, isOld: { try self.isHeld($0, by: target) }, isNew: nil)
        if let step { steps.append(step) }
        counts.deleted += 1
        said.append("removed \(quoted(PrettyLayout.path(path)))")
    }

    /// Makes the commit, writes the stores after it, and prints the head.
    func commit(message: [UInt8]) throws -> ExitStatus {
        guard !edit.isEmpty else {
            call.warn(Report("unchanged", status: .success))
            if let head { call.output.line(head.text) }
            return .success
        }
        return try vault.saving {
            let (head, failed) = try commitOnDevice(message)
            tell(except: failed)
            call.output.line(head.text)
            return failed.isEmpty ? .success : .failure
        }
    }

    /// Makes the commit on this device alone, where the stores are written by the caller.
    ///
    /// - Returns: the head, and the paths whose working files are not as it has them, which is said.
    func commitOnDevice(_ message: [UInt8]) throws -> (head: ObjectID, failed: [[EntryName]]) {
        let bare = vault.open.bare
        var failures: [(path: [EntryName], reason: any Error)] = []
        let id = try DeviceCommit(copy, bare, hold: vault.open.hold)
            .make(edit, objects, message: message, time: call.now) {
                let ready = try files.prepare(steps) { step in
                    try blobs[step.path].map { try Array(bare.objects.blob($0)) } ?? []
                }
                return { failures = self.files.finish(ready) }
            }
        for (_, reason) in failures {
            let report = (reason as? any Reportable)?.report
            call.warn(
                report ?? Report("a working file is not as the commit has it", status: .failure))
        }
        return (id, failures.map(\.path))
    }

    /// `Commit: A added, M modified, D deleted`, as sgit says it.
    var summary: [UInt8] {
        Array(
            "Commit: \(counts.added) added, \(counts.modified) modified, \(counts.deleted) deleted"
                .utf8)
    }

    /// A message that fits, cut at a character.
    static func cut(_ message: [UInt8]) -> [UInt8] {
        guard message.count > CommitMessage.longest else { return message }
        var end = CommitMessage.longest
        while end > 0, message[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(message[..<end])
    }

    // MARK: -

    /// One line a change, to a person; of many only how many.
    private func tell(except failed: [[EntryName]]) {
        guard call.errorIsTerminal else { return }
        let lines = said.count <= 8 ? said : [String(decoding: summary.dropFirst(8), as: UTF8.self)]
        for line in lines { call.warn(Report(line, status: .success)) }
        for step in steps.prefix(8) where !failed.contains(step.path) {
            let deed = step.deed == .write ? "wrote" : "removed"
            call.warn(
                Report(
                    "\(deed) the working file \(quoted(PrettyLayout.path(step.path)))",
                    status: .success))
        }
    }

    /// What stands at a path of the head; nil for nothing.
    private func entry(at path: [EntryName]) throws -> TreeTarget? {
        guard let root else { return nil }
        var target = TreeTarget.tree(root)
        for (depth, name) in path.enumerated() {
            guard case .tree(let id) = target else {
                throw TreeEditError.fileInTheWay(Array(path[..<depth]))
            }
            let tree = try trees[id] ?? vault.open.objects.tree(id)
            trees[id] = tree
            guard let found = tree.entry(named: name.bytes)?.target else { return nil }
            target = found
        }
        return target
    }

    /// Whether a blob holds the bytes of that digest.
    ///
    /// The entry's claim may show that it does not, only opening it that it does; one that cannot be opened is written
    /// anew.
    private func holds(
        _ id: ObjectID, _ facts: BlobFacts, _ count: Int, _ digest: SHA256Digest
    ) throws -> Bool {
        guard facts.size == count else { return false }
        do {
            return try SHA256.digest(vault.open.objects.blob(id)) == digest
        } catch StoreError.missing, StoreError.nameMismatch, StoreError.damaged {
            return false
        }
    }

    private func isHeld(_ content: [UInt8], by target: TreeTarget?) throws -> Bool {
        guard case .blob(let id, let facts)? = target else { return false }
        return try holds(id, facts, content.count, SHA256.digest(content))
    }
}
