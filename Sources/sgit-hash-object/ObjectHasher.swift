import CommandInterface
import FileSystem
import Objects
import Plumbing
import Store

/// Seals one plaintext after the other; an id is printed once its object is on the disk.
final class ObjectHasher {
    private let objects: NewObjects
    private let vault: OpenStore
    private let kind: ObjectKind
    private let isStoring: Bool
    private let output: Output
    private let terminator: UInt8
    private var unprinted: [ObjectID] = []

    init(
        _ objects: NewObjects, _ vault: OpenStore, kind: ObjectKind, storing: Bool, output: Output,
        terminator: UInt8
    ) {
        self.objects = objects
        self.vault = vault
        self.kind = kind
        isStoring = storing
        self.output = output
        self.terminator = terminator
    }

    func hash(_ path: [UInt8]) throws {
        try add(
            kind == .blob
                ? objects.seal(
                    blobInRoom: FileContents.read(
                        path, limit: ObjectLimit.blob, before: EnvelopeLayout.roomBefore,
                        after: EnvelopeLayout.roomAfter))
                : sealDocument(
                    FileContents.read(path, limit: ObjectLimit.largest(kind)),
                    String(decoding: path, as: UTF8.self)))
    }

    func hashInput() throws {
        try add(
            kind == .blob
                ? objects.seal(
                    blobInRoom: StandardInput.contents(
                        limit: ObjectLimit.blob,
                        before: EnvelopeLayout.roomBefore, after: EnvelopeLayout.roomAfter))
                : sealDocument(
                    StandardInput.contents(limit: ObjectLimit.largest(kind)),
                    "standard input"))
    }

    /// Brings what was sealed to the disk, and prints the ids.
    func finish() throws {
        try objects.flush()
        for id in unprinted {
            output.write(id.bytes)
            output.write(terminator)
        }
        unprinted = []
        output.flush()
    }

    /// The envelope of a document that decodes as what it is said to be.
    private func sealDocument(_ plaintext: [UInt8], _ source: String) throws -> [UInt8] {
        do {
            _ = try DecodedObject(plaintext[...], as: kind, with: vault.bare.cipher)
        } catch {
            throw DocumentInputError.notOfKind(kind, source: source, reason: error)
        }
        return objects.seal(document: plaintext, as: kind)
    }

    private func add(_ envelope: [UInt8]) throws {
        unprinted.append(
            isStoring ? try objects.write(envelope: envelope) : objects.id(of: envelope))
    }
}
