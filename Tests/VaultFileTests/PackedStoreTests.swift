import Cryptography
import Encodings
import FileSystem
import Foundation
import Locks
import Objects
import Store
import TestSupport
import Testing
import VaultFile
import VaultKeys

/// A store looked at once, and the file that is made of it.
@Suite struct PackedStoreTests {
    private let vault: PackedVault

    init() throws { vault = try PackedVault() }

    private func folder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: vault.layout.bare + "/" + path, withIntermediateDirectories: true)
    }

    private func name(_ text: String) throws -> MemberName {
        try #require(MemberName(Array(text.utf8)))
    }

    /// The names in a file of the store.
    private func names() throws -> [String] {
        try vault.file().members.map(\.name.text)
    }

    // MARK: - What is packed

    @Test func packsWhatTheStoreHolds() throws {
        let store = try vault.packed()
        #expect(store.count == 4)
        #expect(store.leftOut.isEmpty)
        #expect(
            store.heads == [
                VaultHeader.Head(ref: vault.ids.mainRef, commit: vault.objects[0]),
                VaultHeader.Head(ref: vault.emptyRef, commit: nil),
            ])
        let object = "bare/data/" + vault.objects[0].text
        #expect(
            try names() == [
                object, "bare/indexes/" + vault.ids.branchIndex,
                "bare/refs/" + vault.ids.mainRef, "bare/refs/" + vault.emptyRef,
            ])
        #expect(try store.contains(name(object)))
        #expect(try !store.contains(name("bare/data/other")))
        #expect(try !store.contains(name("bare/zzz/zzz")))
    }

    @Test func isTheFileThatIsDrawn() throws {
        try vault.put("second")
        let bytes = try vault.bytes()
        #expect(ZipDrawing(try vault.members()).bytes == bytes)
        #expect(try vault.bytes() == bytes)
        let later = try vault.bytes(vault.newHeader(serial: 8))
        #expect(later != bytes && later.count == bytes.count)
    }

    @Test func packsAnyFileOfAStore() throws {
        try folder("cache/a/b")
        try vault.write([1], to: "cache/a/b/c")
        try vault.write([2], to: "cache/x")
        try vault.write([3], to: "data/no-object")
        try vault.write([], to: "keys/empty")
        let found = try names()
        for name in ["cache/a/b/c", "cache/x", "data/no-object", "keys/empty"] {
            #expect(found.contains("bare/" + name))
        }
        #expect(try vault.packed().leftOut.isEmpty)
        try vault.file().verify(PackedVault.readKey, owner: PackedVault.owner)
    }

    @Test func packsLargeFilesThatItDoesNotKeep() throws {
        try vault.write([UInt8](repeating: 5, count: 3 << 20), to: "keys/large")
        let file = try vault.file()
        let entry = try #require(file.entry(name("bare/keys/large")))
        #expect(entry.size == 3 << 20)
        try file.checkWholeness()
    }

    @Test func leavesOutWhatAFileCannotHold() throws {
        try folder("a/b/c/d")
        try folder("Upper")
        try folder("refs/sub")
        try folder(".hidden")
        let left = [
            ".hidden", "Upper", "a/b/c/d", "data/.x", "data/X", "data/link", "data/\u{E9}",
            "refs/other", "refs/sub/ref-pid-muw-000000000000", "top",
        ]
        for path in left where path.contains(".x") || path.contains("X") || path == "top" {
            try vault.write([1], to: path)
        }
        try vault.write([1], to: "data/\u{E9}")
        try vault.write([1], to: "refs/other")
        try vault.write([1], to: "refs/sub/ref-pid-muw-000000000000")
        try vault.write([1], to: "a/b/c/d/e")
        try FileManager.default.createSymbolicLink(
            atPath: vault.layout.bare + "/data/link", withDestinationPath: "/etc/passwd")
        // What a killed writer left is not worth a word.
        try vault.write([1], to: "data/.x.0123abcd.sgtmp")
        let store = try vault.packed()
        #expect(
            store.leftOut.map { String(decoding: $0, as: UTF8.self) }.sorted()
                == left.sorted())
        #expect(store.count == 4)
        try vault.file().verify(PackedVault.readKey, owner: PackedVault.owner)
    }

    // MARK: - What is refused

    @Test func refusesADamagedObject() throws {
        try vault.write([1, 2, 3], to: "data/" + vault.objects[0].text)
        #expect {
            try vault.packed()
        } throws: { error in
            guard case StoreError.nameMismatch(let id) = error else { return false }
            return id == vault.objects[0]
        }
    }

    @Test func refusesARefThatDoesNotOpen() throws {
        try vault.write([UInt8](repeating: 1, count: 64), to: "refs/" + vault.emptyRef)
        #expect(throws: StoreError.self) { try vault.packed() }
    }

    @Test func refusesAFileThatChangesMeanwhile() throws {
        // Large enough to be read again when it is written.
        try vault.write([UInt8](repeating: 5, count: 2 << 20), to: "keys/large")
        let store = try vault.packed()
        let header = try vault.newHeader().seal(store, PackedVault.readKey)
        for bytes in [[UInt8](repeating: 6, count: 2 << 20), [1]] {
            try vault.write(bytes, to: "keys/large")
            #expect {
                try store.write(header: header) { _ in }
            } throws: { error in
                guard case PackError.changed(let path) = error else { return false }
                return path == vault.layout.bare + "/keys/large"
            }
        }
        // What was kept is written as it was.
        try vault.write([1], to: "refs/" + vault.emptyRef)
        try vault.write([UInt8](repeating: 5, count: 2 << 20), to: "keys/large")
        try store.write(header: header) { _ in }
    }

    @Test func passesOnWhatTheSinkThrows() throws {
        let store = try vault.packed()
        #expect(throws: FileError.notFound(path: "x")) {
            try store.write(header: [1]) { _ in throw FileError.notFound(path: "x") }
        }
    }

    // MARK: - The header

    @Test func theHeaderSaysWhatItIsTold() throws {
        var new = vault.newHeader(
            serial: 9,
            list: DrawnLock.list([DrawnLock.lock(2), DrawnLock.lock(1)], removed: [4, 3]))
        new.unknownMembers = [.init("x-later", .array([.null]))]
        let bytes = try new.seal(vault.packed(), PackedVault.readKey)
        let header = try VaultHeader(bytes)
        try header.checkForm()
        #expect(header.serial == 9 && header.vaultID == PackedVault.vaultID)
        #expect(header.lockList == new.lockList)
        #expect(header.unknownMembers == new.unknownMembers)
        #expect(header.writtenAt == Array("2026-11-30T12:00:00Z".utf8))
        #expect(header.requires.isEmpty)
        #expect(header.locksCode == new.locksCode)
        #expect(header.heads == (try vault.packed()).heads)
    }

    @Test func theInventoryIsWhatSha256sumPrints() throws {
        let members = try vault.members().dropFirst()
        var lines: [UInt8] = []
        for member in members {
            lines += Hex.encode(SHA256.digest(member.bytes).bytes)
            lines += Array("  \(member.name)\n".utf8)
        }
        let inventory = try vault.file().header.inventory
        #expect(inventory.digest == Hex.encode(SHA256.digest(lines).bytes))
        #expect(inventory.count == members.count)
        #expect(inventory.bytes == members.reduce(0) { $0 + $1.bytes.count })
    }

    @Test func theHeaderHasItsBounds() throws {
        let store = try vault.packed()
        func seal(_ list: LockList, filling: Int = 0) throws -> PackError? {
            var header = vault.newHeader(list: list)
            header.unknownMembers = [.init("x", .text(String(repeating: "x", count: filling)))]
            do throws(PackError) {
                _ = try header.seal(store, PackedVault.readKey)
                return nil
            } catch {
                return error
            }
        }
        #expect(try seal(DrawnLock.list((0..<64).map { DrawnLock.lock($0) })) == nil)
        guard case .tooManyLocks = try seal(DrawnLock.list((0..<65).map { DrawnLock.lock($0) })),
            case .tooManyLocks = try seal(DrawnLock.list([], removed: Array(0..<4097))),
            case .headerTooLarge = try seal(.none, filling: 1 << 20)
        else {
            Issue.record("a bound is not kept")
            return
        }
        #expect(try seal(DrawnLock.list([], removed: Array(0..<4096))) == nil)
    }

    // MARK: - Many members

    @Test(.enabled(if: many > 65_536, "it takes long where the code is not optimised"))
    func writesTheEndOfALargeFile() throws {
        // 65,535 members with the header: the first count that needs the end record of large files.
        let folder = vault.layout.bare + "/keys"
        let wanted = 65_534 - 4
        for number in 0..<wanted {
            let file = open(folder + "/k\(number)", O_WRONLY | O_CREAT | O_EXCL, 0o600)
            close(file)
        }
        let bytes = try vault.bytes()
        #expect(bytes.suffix(98).prefix(4) == [0x50, 0x4B, 6, 6])
        // The reader takes no other bytes, and those it takes are those of the vectors.
        let zip = try StoredZip(vault.place.stored(bytes))
        #expect(zip.entries.count == 65_535)
    }
}
