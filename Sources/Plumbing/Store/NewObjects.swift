package import Cryptography
import FileSystem
package import Objects

/// New objects of one command: sealed as they come, flushed together.
///
/// An object has its name only once its bytes are on the disk, so no torn file ever has one. A few are flushed one
/// by one; of many the whole file system is flushed at once (docs/decisions/0012).
package final class NewObjects: ObjectWriter {
    private let layout: StoreLayout
    private var existing: LooseObjects
    private let cipher: EnvelopeCipher
    private let gate: FormatGate
    private let random: RandomBytes
    private var folder: Folder?
    private var pending: [(id: ObjectID, file: PendingFile)] = []
    private var pendingIDs: Set<ObjectID> = []
    /// Why a flush failed.
    private var failure: (any Error)?

    /// How many files wait for one flush, at most.
    private let largestBatch = PendingFile.largestBatch

    /// - Throws: what `BareStore.gateForWriting` throws.
    package init(in store: BareStore, random: RandomBytes) throws {
        gate = try store.gateForWriting()
        layout = store.layout
        existing = store.objects
        cipher = store.cipher
        self.random = random
    }

    // MARK: - Sealing, without writing

    /// The envelope of a blob whose plaintext has room around it: see `EnvelopeLayout.room`.
    package func seal(blobInRoom bytes: consuming [UInt8]) -> [UInt8] {
        cipher.sealBlob(inRoom: bytes, nonce: nonce(), deflating: gate.has("blob-deflate"))
    }

    /// The envelope of a document: a tree's is always the same, a commit's or tag's is new each time.
    package func seal(document: [UInt8], as kind: ObjectKind) -> [UInt8] {
        kind == .tree
            ? cipher.sealDeterministically(document) : cipher.seal(document, nonce: nonce())
    }

    /// The name that an envelope has in this vault.
    package func id(of envelope: [UInt8]) -> ObjectID {
        ObjectID(naming: envelope, width: gate.idWidth)
    }

    // MARK: - Writing

    /// Takes an envelope to be written; one that is there already is done.
    ///
    /// - Throws: `StoreError.nameTaken` where a file of that name holds other bytes; it stays as it is.
    @discardableResult
    package func write(envelope: [UInt8]) throws -> ObjectID {
        let id = id(of: envelope)
        if pendingIDs.contains(id) { return id }
        if pending.count >= largestBatch { try flush() }
        let file = try PendingFile(id.text, in: openFolder())
        try file.write(envelope)
        pending.append((id, file))
        pendingIDs.insert(id)
        return id
    }

    package func write(blobInRoom bytes: consuming [UInt8]) throws -> ObjectID {
        try write(envelope: seal(blobInRoom: bytes))
    }

    package func write(_ tree: Tree) throws -> ObjectID {
        let envelope = seal(document: tree.encode(with: cipher), as: .tree)
        let id = id(of: envelope)
        // A folder as it was before is the usual case; all else has a nonce of its own and is new.
        return try isThere(id, envelope) ? id : write(envelope: envelope)
    }

    package func write(_ commit: Commit) throws -> ObjectID {
        try write(envelope: seal(document: commit.encode(), as: .commit))
    }

    /// The `message_enc` member for a commit; nil for no message.
    package func sealMessage(_ message: [UInt8]) -> [UInt8]? {
        message.isEmpty ? nil : cipher.sealField(message, nonce: nonce())
    }

    /// Brings all objects taken so far to the disk, and then under their names.
    ///
    /// The system tells of a lost write once: after a failure nothing more is taken to be on the disk.
    package func flush() throws {
        if let failure { throw failure }
        guard let folder, !pending.isEmpty else { return }
        do {
            try folder.flush(pending.map(\.file))
            for (id, file) in pending {
                // Something of the name may be there: the same, from another writer, or it is refused.
                if try !file.take(), try !isSame(file) { throw StoreError.nameTaken(id) }
            }
            try folder.sync()
        } catch {
            failure = error
            pending = []
            throw error
        }
        pending = []
        pendingIDs = []
    }

    // MARK: -

    /// Whether the file that has the name of a pending one holds its bytes.
    private func isSame(_ file: PendingFile) throws -> Bool {
        do throws(FileError) {
            return try file.isAlreadyThere()
        } catch {
            switch error {
            case .tooLarge, .notRegular: return false
            default: throw error
            }
        }
    }

    private func openFolder() throws -> Folder {
        if let folder { return folder }
        let opened = try layout.open(.objects)
        // The folder may be new; what is in it is looked up there.
        existing = try LooseObjects(layout, cipher: cipher)
        folder = opened
        return opened
    }

    private func nonce() -> [UInt8] { random.bytes(AEAD.nonceCount) }

    private func isThere(_ id: ObjectID, _ envelope: [UInt8]) throws -> Bool {
        guard try existing.contains(id) else { return false }
        let stored: [UInt8]
        do {
            stored = try existing.envelope(id)
        } catch StoreError.nameMismatch, StoreError.tooLarge, StoreError.damaged {
            throw StoreError.nameTaken(id)
        }
        guard stored == envelope else { throw StoreError.nameTaken(id) }
        return true
    }
}
