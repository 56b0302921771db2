import Encodings
import Foundation
import Locks
import Objects
import TestSupport
import Testing
import VaultFile
import VaultKeys

/// The header as it is stored: its form, its codes, and what a later version may add.
@Suite struct VaultHeaderTests {
    private let vector: VectorFile

    init() throws { vector = try VectorFile() }

    private func error(_ edit: (inout JSONValue) throws -> Void) throws -> HeaderError? {
        var document = try CanonicalJSON.read(vector.header)
        try edit(&document)
        return error(CanonicalJSON.encode(document))
    }

    /// What reading refuses, or what `checkForm` does.
    private func error(_ bytes: [UInt8]) -> HeaderError? {
        do throws(HeaderError) {
            try VaultHeader(bytes).checkForm()
            return nil
        } catch {
            return error
        }
    }

    private func without(_ document: JSONValue, _ name: String) -> JSONValue {
        .object(document.members.filter { $0.name != Array(name.utf8) })
    }

    // MARK: - Vectors

    @Test func readsTheVector() throws {
        let bytes = try vector.header
        let header = try VaultHeader(bytes)
        try header.checkForm()
        #expect(bytes.count == (try vector.file.integer("header_bytes")))
        #expect(header.bytes == bytes && CanonicalJSON.encode(header.document) == bytes)
        #expect(header.vaultID == Array("testvault01".utf8))
        #expect(header.serial == 7 && header.requires.isEmpty)
        #expect(header.writtenAt == Array("2026-11-30T12:00:00Z".utf8))
        #expect(header.writtenBy == Array("example 1.0".utf8))
        #expect(header.heads.map(\.ref) == ["ref-pid-muw-48f3f9e2301c"])
        #expect(header.heads.map { $0.commit?.text } == ["obj-cas-imm-eac8ea9d27ff"])
        #expect(header.lockList.locks.map(\.kind) == [.recoveryCode, .passphrase])
        #expect(header.lockList.removed.isEmpty && header.lockList.grantsVault)
        #expect(header.inventory.count == 3 && header.inventory.bytes == 34)
        #expect(header.unknownMembers.isEmpty)
    }

    @Test func bothCodesOfTheVectorFit() throws {
        let place = TemporaryFolder()
        let file = try VaultFile(place.stored(vector.zip))
        let code = Array("dc7a5f3d420facb8db71fbbc5b7191fb28bdc5f875a2107b0a7d0abe50ff189d".utf8)
        #expect(file.header.code == code)
        #expect(try file.isAuthentic(vector.readKey))
        #expect(!file.isAuthentic(TestKeys.readKey(Array(0..<32), vault: "testvault01")))
        let owner = try vector.owner
        #expect(
            owner.code(of: file.header.lockList, vaultID: file.header.vaultID)
                == Array("85b3dea86c2fad55dfe033a2f660738c768436d38b5e5bf69e79490d14003f61".utf8))
        #expect(owner.proves(file.header))
        #expect(try vector.readKey.fingerprint() == vector.vectors.hex("fingerprint"))
        try file.checkWholeness()
        // Its ref is no sealed one: that is as far as the vector goes.
        #expect {
            try file.verify(try vector.readKey, owner: owner)
        } throws: { error in
            guard case VaultFileError.altered(_, .head(let ref)) = error else { return false }
            return ref == "ref-pid-muw-48f3f9e2301c"
        }
    }

    @Test func readsTheHeaderWithRemovedLocks() throws {
        let bytes = try vector.vectors.bytes("header_with_removed_locks")
        let header = try VaultHeader(bytes)
        try header.checkForm()
        #expect(
            header.heads.map(\.ref) == ["ref-pid-muw-48f3f9e2301c", "ref-pid-snw-000000000000"])
        #expect(header.heads.map { $0.commit == nil } == [false, true])
        #expect(
            header.lockList.removed
                == [Array("0000000000000001".utf8), Array("ffffffffffffffff".utf8)])
        #expect(header.unknownMembers.map(\.name) == [Array("x_future".utf8)])
        #expect(CanonicalJSON.encode(header.document) == bytes)
        let owner = try vector.owner
        #expect(owner.proves(header))
        let place = TemporaryFolder()
        var drawing = try vector.drawing
        drawing = ZipDrawing([("sgvault.json", bytes)] + (try vector.members))
        let file = try VaultFile(place.stored(drawing.bytes))
        #expect(try file.isAuthentic(vector.readKey))
        try file.checkWholeness()
    }

    // MARK: - The canonical form

    @Test func isTheCanonicalFormOrNothing() throws {
        let bytes = try vector.header
        let text = String(decoding: bytes, as: UTF8.self)
        let others = [
            text.dropLast() + "", text + "\n",
            text.replacingOccurrences(of: "\":7", with: "\": 7"),
            text.replacingOccurrences(of: ":7,", with: ":7.0,"),
            text.replacingOccurrences(of: ":7,", with: ":07,"),
            text.replacingOccurrences(of: "paper", with: "p\\u0061per"),
            text.replacingOccurrences(of: "{\"format\"", with: "{\"version\":1,\"format\""),
            text.replacingOccurrences(of: "\"serial\":7", with: "\"serial\":7,\"serial\":7"),
            "\u{FEFF}" + text, "", "{}\n", "null\n", "[]\n",
        ]
        for other in others { #expect(error(Array(other.utf8)) != nil, "\(other.prefix(80))") }
        #expect(error(bytes) == nil)
    }

    @Test func refusesOneThatIsTooLarge() throws {
        let filling = String(repeating: "x", count: VaultHeader.limit - 1281 - 7)
        #expect(try error { $0.set("x", .text(filling)) } == nil)
        #expect(try error { $0.set("x", .text(filling + "x")) } == .tooLarge)
    }

    @Test func refusesEveryFlippedByteOrIsAnotherHeader() throws {
        let bytes = try vector.header
        let header = try VaultHeader(bytes)
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1
            guard error(flipped) == nil else { continue }
            #expect(try VaultHeader(flipped).document != header.document, "byte \(index)")
        }
    }

    // MARK: - Members

    @Test(arguments: [
        "format", "heads", "locks", "locks_mac", "mac", "members", "requires", "serial", "vault_id",
        "version", "written_at", "written_by",
    ])
    func needsEveryMember(_ name: String) throws {
        #expect(try error { $0 = without($0, name) } == .badMember(name))
        #expect(
            try error { document in
                document = without(document, name)
                document = .object(
                    document.members + [.init(name: Array(name.utf8), value: .null)])
            } == .badMember(name))
    }

    @Test func readsAbsentRemovedLocksAsNone() throws {
        #expect(try error { $0 = without($0, "removed_locks") } == nil)
    }

    @Test func tellsAnotherVersion() throws {
        for version in [0, 2, 99] {
            #expect(try error { $0.set("version", .integer(version)) } == .version(version))
        }
    }

    @Test func refusesOtherValues() throws {
        let cases: [(StaticString, [JSONValue])] = [
            ("format", [.text("sgvaulT"), .integer(1)]),
            ("version", [.text("1")]),
            ("vault_id", [.text("abc"), .text(String(repeating: "a", count: 25)), .text("Abcd")]),
            ("requires", [.object([]), .array([.integer(1)])]),
            ("serial", [.integer(0), .text("7"), .bool(true)]),
            (
                "written_at",
                [
                    .text("2026-11-30"), .text("2026-11-30T12:00:00.0Z"),
                    .text("2026-11-30 12:00:00Z"),
                ]
            ),
            ("written_by", [.text(String(repeating: "x", count: 129)), .integer(1)]),
            ("mac", [.text("00"), .text(String(repeating: "A", count: 64))]),
            ("locks_mac", [.text(String(repeating: "g", count: 64)), .null]),
        ]
        for (name, values) in cases {
            for value in values {
                #expect(try error { $0.set(name, value) } == .badMember("\(name)"))
            }
        }
    }

    @Test func refusesOtherHeads() throws {
        let id = JSONValue.text("obj-cas-imm-eac8ea9d27ff")
        let heads: [JSONValue] = [
            .array([]), .object([.init("ref-pid-muw-48f3f9e2301", id)]),
            .object([.init("ref-pid-xxw-48f3f9e2301c", id)]),
            .object([.init("ref-pid-muw-48f3f9e2301c", .null)]),
            .object([.init("ref-pid-muw-48f3f9e2301c", .text("obj-cas-imm-eac8"))]),
            .object([.init("other", id)]),
        ]
        for value in heads { #expect(try error { $0.set("heads", value) } == .badMember("heads")) }
        #expect(try error { $0.set("heads", .object([])) } == nil)
    }

    @Test func refusesAnotherInventory() throws {
        let hash = JSONValue.text(String(repeating: "0", count: 64))
        let values: [JSONValue] = [
            .null, .object([]), .object([.init("bytes", .integer(1)), .init("sha256", hash)]),
            .object([
                .init("bytes", .integer(1)), .init("count", .integer(1)),
                .init("sha256", .text("0")),
            ]),
            .object([
                .init("bytes", .text("1")), .init("count", .integer(1)), .init("sha256", hash),
            ]),
        ]
        for value in values {
            #expect(try error { $0.set("members", value) } == .badMember("members"))
        }
    }

    // MARK: - Locks

    private func locks(_ locks: [Lock], removed: [[UInt8]] = []) throws -> HeaderError? {
        try error { document in
            document.set("locks", .array(locks.map(\.document)))
            document.set("removed_locks", .array(removed.map { .string($0) }))
        }
    }

    @Test func wantsTheLocksInOrder() throws {
        let early = DrawnLock.lock(9, createdAt: "2026-01-01T00:00:00Z")
        let (one, two) = (DrawnLock.lock(1), DrawnLock.lock(2))
        #expect(try locks([early, one, two]) == nil)
        #expect(try locks([one, two, early]) == .badMember("locks"))
        #expect(try locks([two, one]) == .badMember("locks"))
        #expect(try locks([one, one]) == .badMember("locks"))
        // One id twice, at two times.
        #expect(
            try locks([DrawnLock.lock(1, createdAt: "2026-01-01T00:00:00Z"), one])
                == .badMember("locks"))
        #expect(try locks([]) == nil)
    }

    @Test func wantsTheRemovedLocksInOrder() throws {
        let (one, two) = (DrawnLock.name(1), DrawnLock.name(2))
        #expect(try locks([DrawnLock.lock(3)], removed: [one, two]) == nil)
        let refused: [[[UInt8]]] = [
            [two, one], [one, one], [Array("1".utf8)], [Array("000000000000000G".utf8)],
            [DrawnLock.name(3)],
        ]
        for removed in refused {
            #expect(
                try locks([DrawnLock.lock(3)], removed: removed) == .badMember("removed_locks"))
        }
    }

    @Test func boundsTheLists() throws {
        #expect(try locks((0..<64).map { DrawnLock.lock($0) }) == nil)
        #expect(try locks((0..<65).map { DrawnLock.lock($0) }) == .badMember("locks"))
        #expect(try locks([], removed: (0..<4096).map { DrawnLock.name($0) }) == nil)
        #expect(
            try locks([], removed: (0..<4097).map { DrawnLock.name($0) })
                == .badMember("removed_locks"))
        #expect(try error { $0.set("locks", .array([.integer(1)])) } == .badMember("locks"))
    }

    @Test func aLockOfALaterKindIsKept() throws {
        #expect(try locks([DrawnLock.lock(1, kind: "x-new")]) == nil)
        #expect(try locks([DrawnLock.lock(1, grants: "all")]) == .badMember("locks"))
        #expect(try locks([DrawnLock.lock(1, sealed: "0")]) == .badMember("locks"))
    }

    // MARK: - Joining what is unknown

    private func header(serial: Int, _ members: [JSONValue.Member]) throws -> VaultHeader {
        var document = try CanonicalJSON.read(vector.header)
        document.set("serial", .integer(serial))
        return try VaultHeader(
            CanonicalJSON.encode(.object(document.members + members)))
    }

    @Test func keepsTheUnknownMembersOfTheHigherSerial() throws {
        let low = try header(serial: 3, [.init("x-a", .integer(9)), .init("x-b", .integer(1))])
        let high = try header(serial: 4, [.init("x-a", .integer(1)), .init("x-c", .null)])
        let same = try header(serial: 4, [.init("x-a", .integer(2))])
        func joined(_ headers: VaultHeader...) -> [[UInt8]: JSONValue] {
            Dictionary(
                VaultHeader.joinedUnknownMembers(headers).map { ($0.name, $0.value) },
                uniquingKeysWith: { first, _ in first })
        }
        let expected: [[UInt8]: JSONValue] = [
            Array("x-a".utf8): .integer(1), Array("x-b".utf8): .integer(1),
            Array("x-c".utf8): .null,
        ]
        #expect(joined(low, high) == expected)
        #expect(joined(high, low) == expected)
        // The greater canonical bytes, where the serials are one.
        #expect(joined(high, same)[Array("x-a".utf8)] == .integer(2))
        #expect(joined(same, low, high)[Array("x-a".utf8)] == .integer(2))
    }
}
