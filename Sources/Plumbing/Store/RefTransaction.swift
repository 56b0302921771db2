import FileSystem
package import Objects

/// What a ref must hold before it may move.
package enum RefExpectation: Equatable {
    /// No commit: it is not there, or it is empty.
    case nothing
    case head(ObjectID)

    package init(_ content: Refs.Content) {
        self = content.head.map { .head($0) } ?? .nothing
    }

    var head: ObjectID? {
        if case .head(let id) = self { return id }
        return nil
    }
}

/// Refs that move together: all are checked before one moves, and each is whole whatever happens.
///
/// `prepare` writes and flushes every new file; `commit` gives them their names, in the order they were asked for. A
/// crash between two renames leaves the first ones moved.
package final class RefTransaction {
    /// One ref: what it must hold and, where it is to move, what it shall hold.
    package struct Update {
        package let ref: String
        package let expected: RefExpectation
        /// Nil to check only.
        package let new: ObjectID?

        package init(ref: String, expected: RefExpectation, new: ObjectID?) {
            self.ref = ref
            self.expected = expected
            self.new = new
        }
    }

    private let hold: StoreHold
    private var updates: [Update] = []
    private var prepared: [(ref: String, file: PendingFile, old: [UInt8]?)] = []
    private var folder: Folder?

    package init(_ hold: StoreHold) {
        self.hold = hold
    }

    /// Checks what each ref holds, and makes the new files.
    ///
    /// - Throws: `StoreError.refMoved`; then nothing has moved.
    package func prepare(_ updates: [Update]) throws {
        self.updates = updates
        try check()
        let moving = updates.filter { $0.new != nil && $0.new != $0.expected.head }
        guard !moving.isEmpty else { return }
        let folder = try hold.open(.refs)
        self.folder = folder
        prepared = try moving.compactMap { update in
            guard let new = update.new else { return nil }
            let file = try PendingFile(update.ref, in: folder)
            try file.write(hold.seal(Refs.encode(new)))
            try file.sync()
            // Many refs may move at once: none keeps a descriptor.
            try file.makeReady()
            return (update.ref, file, try hold.store.refs.stored(update.ref))
        }
    }

    /// Moves the refs; those that hold the new commit already are not written.
    ///
    /// Where the system refuses one, those that have moved are put back.
    ///
    /// - Throws: `StoreError.refMoved` where a writer without a hold came in between; then nothing has moved.
    package func commit() throws {
        try check()
        var moved = 0
        do throws(FileError) {
            for (_, file, _) in prepared {
                try file.replace()
                moved += 1
            }
        } catch {
            putBack(prepared[..<moved])
            throw error
        }
        prepared = []
        try folder?.sync()
    }

    /// Gives refs what they held before; one that cannot be put back stays moved, and is whole.
    private func putBack(_ moved: ArraySlice<(ref: String, file: PendingFile, old: [UInt8]?)>) {
        for (ref, _, old) in moved.reversed() {
            do throws(FileError) {
                if let old {
                    try folder?.replace(ref, with: old)
                } else {
                    try folder?.remove(ref)
                }
            } catch {
                continue
            }
        }
    }

    private func check() throws {
        for update in updates {
            let found = RefExpectation(try hold.store.refs.read(update.ref))
            guard found == update.expected else {
                throw StoreError.refMoved(
                    ref: update.ref, expected: update.expected.head, found: found.head)
            }
        }
    }
}
