import Cryptography
import Encodings
import Foundation
import Objects
import Store
import TestSupport
import Testing

@Suite struct NewObjectsTests {
    private let new: NewStore

    init() throws { new = try NewStore() }

    private func objects(_ random: RandomBytes = .system) throws -> NewObjects {
        try NewObjects(in: new.open(), random: random)
    }

    /// Random bytes that are always the same, so that equal blobs make equal envelopes.
    private var fixed: RandomBytes {
        RandomBytes { target in for index in target.indices { target[index] = 7 } }
    }

    private func room(_ text: String) -> [UInt8] { EnvelopeLayout.room(for: Array(text.utf8)) }

    private func isTaken(_ id: ObjectID, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch StoreError.nameTaken(let taken) {
            return taken == id
        } catch {
            return false
        }
    }

    private func tree(_ names: String...) throws -> Tree {
        Tree(
            sorting: try names.map { name in
                TreeEntry(
                    name: try #require(EntryName(Array(name.utf8))),
                    target: .tree(ObjectID(naming: Array(name.utf8), width: .hex12)))
            })
    }

    // MARK: - What is written

    @Test func namesEveryObjectByItsBytes() throws {
        let objects = try objects()
        let tree = try objects.write(tree("a", "b"))
        let commit = Commit(
            tree: tree, parents: [], sealedMessage: objects.sealMessage([0x78]), branch: [],
            time: 5)
        let ids = [
            tree, try objects.write(commit), try objects.write(blobInRoom: room("")),
            try objects.write(blobInRoom: room("hello")),
        ]
        try objects.flush()
        #expect(try new.names("data") == ids.map(\.text).sorted())
        for id in ids {
            #expect(ObjectID(naming: try new.bytes("data/" + id.text), width: .hex12) == id)
        }
        let store = try new.open()
        #expect(try store.objects.tree(tree) == self.tree("a", "b"))
        #expect(try store.objects.commit(ids[1]) == commit)
        #expect(try store.objects.message(of: commit, ids[1]) == [0x78])
        #expect(try store.objects.blob(ids[2]).isEmpty)
        #expect(try Array(store.objects.blob(ids[3])) == Array("hello".utf8))
    }

    @Test func givesNoObjectItsNameBeforeItIsFlushed() throws {
        do {
            let objects = try objects()
            let id = try objects.write(blobInRoom: room("hello"))
            #expect(try !new.names("data").contains(id.text))
        }
        // Given up, it leaves nothing.
        #expect(try new.names("data").isEmpty)
    }

    @Test(arguments: [1, 7, 8, 9]) func flushesFewAndMany(count: Int) throws {
        let objects = try objects()
        for number in 0..<count { _ = try objects.write(blobInRoom: room("\(number)")) }
        try objects.flush()
        #expect(try new.names("data").count == count)
        try objects.flush()
        _ = try objects.write(blobInRoom: room("more"))
        try objects.flush()
        #expect(try new.names("data").count == count + 1)
    }

    @Test func flushesABatchThatIsFull() throws {
        let objects = try objects()
        var ids: [ObjectID] = []
        for number in 0..<1600 {
            ids.append(try objects.write(blobInRoom: room("\(number)")))
            // What the next object would be too many for is flushed before it.
            #expect(try number % 64 != 0 || new.names("data").count == number / 768 * 768)
        }
        try objects.flush()
        #expect(try new.names("data") == ids.map(\.text).sorted())
        let store = try new.open()
        for (number, id) in ids.enumerated() {
            #expect(try Array(store.objects.blob(id)) == Array("\(number)".utf8))
        }
    }

    @Test func leavesNoUnfinishedFile() throws {
        let objects = try objects()
        for number in 0..<20 { _ = try objects.write(blobInRoom: room("\(number)")) }
        try objects.flush()
        #expect(try new.names("data").allSatisfy { ObjectID(Array($0.utf8)) != nil })
    }

    @Test func makesTheFolderThatAStoreLacks() throws {
        try FileManager.default.removeItem(atPath: new.layout.objects)
        let objects = try objects()
        let id = try objects.write(blobInRoom: room("hello"))
        try objects.flush()
        #expect(try new.names("data") == [id.text])
        #expect(try objects.write(envelope: new.bytes("data/" + id.text)) == id)
    }

    // MARK: - What is there already

    @Test func writesEqualBytesOnce() throws {
        let objects = try objects(fixed)
        let id = try objects.write(blobInRoom: room("hello"))
        #expect(try objects.write(blobInRoom: room("hello")) == id)
        try objects.flush()
        let file = new.layout.objects + "/" + id.text
        let before = try FileManager.default.attributesOfItem(atPath: file)
        #expect(try objects.write(blobInRoom: room("hello")) == id)
        try objects.flush()
        let other = try self.objects(fixed)
        #expect(try other.write(blobInRoom: room("hello")) == id)
        try other.flush()
        #expect(try new.names("data") == [id.text])
        let after = try FileManager.default.attributesOfItem(atPath: file)
        #expect(
            before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int
                && before[.systemFileNumber] != nil)
    }

    @Test(arguments: ["", "x", "a longer text than the object has, so that it is not of its size"])
    func refusesAndKeepsAFileOfOtherBytes(content: String) throws {
        let id = try objects(fixed).write(blobInRoom: room("hello"))
        try new.write(Array(content.utf8), to: "data/" + id.text)
        let objects = try objects(fixed)
        #expect(
            isTaken(id) {
                _ = try objects.write(blobInRoom: room("hello"))
                try objects.flush()
            })
        #expect(try new.bytes("data/" + id.text) == Array(content.utf8))
        #expect(try new.names("data") == [id.text])
    }

    @Test(arguments: ["folder", "link"])
    func refusesAnythingElseUnderItsName(kind: String) throws {
        let id = try objects(fixed).write(blobInRoom: room("hello"))
        let path = new.layout.objects + "/" + id.text
        if kind == "folder" {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "nowhere")
        }
        let objects = try objects(fixed)
        #expect(
            isTaken(id) {
                _ = try objects.write(blobInRoom: room("hello"))
                try objects.flush()
            })
        #expect(try new.names("data") == [id.text])
    }

    @Test func refusesAndKeepsAFileOfOtherBytesThatCameMeanwhile() throws {
        let objects = try objects(fixed)
        let id = try objects.write(blobInRoom: room("hello"))
        try new.write([1, 2, 3], to: "data/" + id.text)
        #expect(isTaken(id) { try objects.flush() })
        #expect(try new.bytes("data/" + id.text) == [1, 2, 3])
    }

    @Test func takesEqualBytesThatCameMeanwhile() throws {
        let (first, second) = (try objects(fixed), try objects(fixed))
        let id = try first.write(blobInRoom: room("hello"))
        #expect(try second.write(blobInRoom: room("hello")) == id)
        try second.flush()
        try first.flush()
        #expect(try new.names("data") == [id.text])
    }

    // MARK: - Sealing

    @Test func sealsEqualTreesAlikeAndEverythingElseAnew() throws {
        let (one, other) = (try objects(), try objects())
        #expect(try one.write(tree("a", "b")) == other.write(tree("b", "a")))
        let commit = Commit(
            tree: ObjectID(naming: [1], width: .hex12), parents: [], sealedMessage: nil,
            branch: [], time: 5)
        #expect(try one.write(commit) != one.write(commit))
        #expect(one.seal(blobInRoom: room("x")) != one.seal(blobInRoom: room("x")))
        #expect(one.sealMessage([0x78]) != one.sealMessage([0x78]))
        #expect(one.sealMessage([]) == nil)
        let document = Array("{}".utf8)
        #expect(
            one.seal(document: document, as: .tree)
                == new.cipher.sealDeterministically(document))
        #expect(one.seal(document: document, as: .tag) != one.seal(document: document, as: .tag))
    }

    @Test func takesItsNoncesFromTheSourceThatItIsGiven() throws {
        let envelope = try objects(fixed).seal(blobInRoom: room("hello"))
        #expect(envelope.prefix(12) == [UInt8](repeating: 7, count: 12)[...])
        #expect(
            envelope
                == new.cipher.seal(Array("hello".utf8), nonce: [UInt8](repeating: 7, count: 12)))
    }

    @Test func deflatesBlobsOnlyInAVaultWithTheFeature() throws {
        let blob = EnvelopeLayout.room(for: [UInt8](repeating: 0x61, count: 5000))
        let document = [UInt8](repeating: 0x20, count: 5000)
        #expect(EnvelopeLayout(try objects().seal(blobInRoom: blob))?.version == 1)
        try new.hold().editIndex { try $0.add(feature: Array("blob-deflate".utf8)) }
        let objects = try objects()
        let envelope = objects.seal(blobInRoom: blob)
        #expect(EnvelopeLayout(envelope)?.version == 2 && envelope.count < 200)
        #expect(try new.cipher.open(envelope, limit: 5000).count == 5000)
        for kind in [ObjectKind.tree, .commit, .tag] {
            let sealed = objects.seal(document: document, as: kind)
            #expect(EnvelopeLayout(sealed)?.version == 1)
        }
    }

    @Test func namesObjectsAtTheWidthOfTheFormat() throws {
        #expect(try objects().write(tree()).width == .hex12)
        try new.hold().editIndex { try $0.raise(format: 2) }
        let objects = try objects()
        let ids = [try objects.write(tree()), try objects.write(blobInRoom: room("hello"))]
        try objects.flush()
        #expect(ids.allSatisfy { $0.width == .hex32 })
        #expect(try new.names("data") == ids.map(\.text).sorted())
    }

    @Test func writesNothingIntoAStoreOfAnotherKey() throws {
        try new.write([1], to: "refs/ref-pid-muw-0123456789ab")
        #expect(throws: StoreError.self) { try objects() }
    }
}
