import Cryptography
import Encodings
import FileSystem
import TestSupport
import Testing
import VaultFile

/// The container: vector D to the byte, and every way in which a file may be another.
@Suite struct StoredZipTests {
    private let place = TemporaryFolder()
    private let vector: VectorFile
    private let drawing: ZipDrawing

    init() throws {
        vector = try VectorFile()
        drawing = try vector.drawing
    }

    private func open(_ bytes: [UInt8]) throws -> StoredZip { try StoredZip(place.stored(bytes)) }

    /// What the strict reader says of a file, be it when it is opened or when its members are read.
    private func damage(_ bytes: [UInt8]) throws -> ZipDamage? {
        do {
            let zip = try open(bytes)
            try zip.forEach { _, _ in }
            return nil
        } catch let damage as ZipDamage {
            return damage
        }
    }

    private func damage(_ edit: (inout ZipDrawing) -> Void) throws -> ZipDamage? {
        var drawing = drawing
        edit(&drawing)
        return try damage(drawing.bytes)
    }

    private var object: String { "bare/data/obj-cas-imm-eac8ea9d27ff" }

    // MARK: - What is whole

    @Test func theVectorIsWhatIsDrawn() throws {
        let zip = try vector.zip
        #expect(zip == drawing.bytes)
        #expect(zip.count == (try vector.file.integer("zip_bytes")))
        #expect(SHA256.digest(zip).bytes == (try vector.file.hex("zip_sha256")))
        #expect(Array(zip[0..<4]) == [0x50, 0x4B, 3, 4])
        #expect(Array(zip[26..<30]) == [12, 0, 0, 0])
        #expect(zip[42] == UInt8(ascii: "{"))
    }

    @Test func readsTheVector() throws {
        let zip = try open(vector.zip)
        #expect(
            zip.entries.map { String(decoding: $0.name, as: UTF8.self) }
                == ["sgvault.json"] + (try vector.members.map(\.name)))
        #expect(try zip.read(zip.entries[0]) == vector.header)
        var lent: [[UInt8]] = []
        try zip.forEach { entry, bytes in
            #expect(bytes.count == entry.size)
            lent.append(Array(bytes))
        }
        #expect(lent == drawing.contents)
        #expect(try zip.entries.map { try zip.read($0) } == drawing.contents)
    }

    @Test func readsMembersLargerThanTheWindow() throws {
        let large = [UInt8](repeating: 7, count: 3 << 20)
        let many: [(name: String, bytes: [UInt8])] = [
            ("sgvault.json", Array("{}".utf8)), ("bare/data/a", large), ("bare/data/b", []),
            ("bare/data/c", Array(large.prefix(700_000))),
            ("bare/data/d", Array(large.prefix(700_000))), ("bare/data/e", [1]),
        ]
        var lent: [Int] = []
        try open(ZipDrawing(many).bytes).forEach { _, bytes in lent.append(bytes.count) }
        #expect(lent == [2, 3 << 20, 0, 700_000, 700_000, 1])
    }

    @Test func readsAHeaderAlone() throws {
        let zip = try open(ZipDrawing([("sgvault.json", Array("{}".utf8))]).bytes)
        #expect(zip.entries.count == 1)
    }

    // MARK: - Single bytes

    @Test func noFlippedByteIsOverlooked() throws {
        let bytes = try vector.zip
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1
            #expect(try damage(flipped) != nil, "byte \(index)")
        }
    }

    @Test func noCutIsOverlooked() throws {
        let bytes = try vector.zip
        for count in bytes.indices {
            #expect(try damage(Array(bytes.prefix(count))) != nil, "cut to \(count)")
        }
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var dropped = bytes
            dropped.remove(at: index)
            #expect(try damage(dropped) != nil, "without byte \(index)")
        }
    }

    @Test func tellsWhatIsNotOurs() throws {
        for bytes in [[], [0x50], Array("hello".utf8), [UInt8](repeating: 0, count: 100)] {
            #expect(try damage(bytes) == .notOurs)
        }
        #expect(try damage(ZipDrawing([("bare/data/x", [1, 2, 3])]).bytes) == .notOurs)
        #expect(
            try damage { drawing in drawing.edit(0) { $0.name = Array("sgvault.JSON".utf8) } }
                == .notOurs)
    }

    // MARK: - Names

    @Test(arguments: [
        "bare/../x", "/bare/data/x", "bare\\data\\x", "c:/bare/data/x", "bare/data/x\0y",
        "bare//x", "bare/./x", "bare/data/", "bare/Data/x", "bare/data/X", "bare/data/\u{E9}",
        "bare/x", "bare/a/b/c/d/e", "evil", "sgvault.json", "bare/data/.x", "bare/data/-x", "",
    ])
    func oneBadNameRefusesTheFile(_ name: String) throws {
        #expect(
            try damage { drawing in
                drawing = ZipDrawing([
                    ("sgvault.json", drawing.contents[0]), (name, Array("x".utf8)),
                ])
            } == .name(Array(name.utf8)))
    }

    @Test func refusesTwoMembersOfOneName() throws {
        let header = drawing.contents[0]
        let twice = ZipDrawing([("sgvault.json", header), ("bare/a/b", [1]), ("bare/a/b", [1])])
        #expect(try damage(twice.bytes) == .order(name: Array("bare/a/b".utf8)))
        let heads = ZipDrawing([("sgvault.json", header), ("sgvault.json", header)])
        #expect(try damage(heads.bytes) == .name(Array("sgvault.json".utf8)))
    }

    @Test func refusesMembersOutOfOrder() throws {
        let members: [(name: String, bytes: [UInt8])] = [
            ("sgvault.json", drawing.contents[0]), ("bare/b/b", [1]), ("bare/a/a", [2]),
        ]
        #expect(try damage(ZipDrawing(members).bytes) == .order(name: Array("bare/a/a".utf8)))
    }

    // MARK: - Records

    @Test(arguments: 0..<4, [true, false])
    func refusesOtherFields(member: Int, isInBoth: Bool) throws {
        let edits: [(inout ZipDrawing.Record) -> Void] = [
            { $0.needed = 20 }, { $0.flags = 1 }, { $0.flags = 1 << 3 }, { $0.flags = 1 << 6 },
            { $0.flags = 1 << 11 }, { $0.flags = 1 << 13 }, { $0.method = 8 }, { $0.time = 1 },
            { $0.date = 0x22 }, { $0.extra = [1, 0, 0, 0] }, { $0.extra = [9] },
            { $0.extra = [1, 0, 16, 0] + [UInt8](repeating: 0, count: 16) },
        ]
        for (number, edit) in edits.enumerated() {
            let found = try damage { drawing in
                if isInBoth { edit(&drawing.locals[member]) }
                edit(&drawing.centrals[member])
            }
            #expect(found == .directory(member: member), "edit \(number)")
            // The directory is right, and the local header is another.
            let local = try damage { edit(&$0.locals[member]) }
            #expect(local != nil, "edit \(number)")
        }
    }

    @Test func refusesWhatOnlyADirectoryHas() throws {
        let edits: [(inout ZipDrawing.Record) -> Void] = [
            { $0.madeBy = 0x0314 }, { $0.comment = [0x78] }, { $0.disk = 1 }, { $0.inner = 1 },
            { $0.outer = 0o120777 << 16 }, { $0.outer = 0x10 },
        ]
        for (number, edit) in edits.enumerated() {
            #expect(
                try damage { edit(&$0.centrals[1]) } == .directory(member: 1), "edit \(number)")
        }
    }

    @Test func refusesALocalHeaderThatDiffers() throws {
        let name = Array(object.utf8)
        #expect(try damage { $0.locals[1].checksum ^= 1 } == .localHeader(name: name))
        #expect(try damage { $0.locals[1].size += 1 } == .localHeader(name: name))
        #expect(try damage { $0.locals[1].packed -= 1 } == .localHeader(name: name))
        #expect(try damage { $0.locals[1].name[33] ^= 1 } == .localHeader(name: name))
    }

    @Test func refusesSizesThatDiffer() throws {
        // A bomb says that it is smaller than what comes out of it.
        #expect(
            try damage { drawing in drawing.edit(1) { $0.size = 1 << 30 } }
                == .directory(member: 1))
        #expect(
            try damage { drawing in drawing.edit(1) { $0.packed = 3 } } == .directory(member: 1))
        #expect(
            try damage { drawing in
                drawing.edit(1) {
                    $0.size += 1
                    $0.packed += 1
                }
            } != nil)
        // Both saturated, and no extra field that would say more.
        #expect(
            try damage { drawing in
                drawing.edit(1) {
                    $0.size = .max
                    $0.packed = .max
                }
            } == .directory(member: 1))
    }

    @Test func refusesOtherBytes() throws {
        #expect(
            try damage { $0.contents[1][0] ^= 1 } == .checksum(name: Array(object.utf8)))
    }

    // MARK: - Places

    @Test func refusesWhatStandsBetween() throws {
        let names = drawing.locals.map(\.name)
        #expect(try damage { $0.before[0] = [1] } == .notOurs)
        for index in 1..<4 {
            // The offsets in the directory say so, or do not.
            #expect(try damage { $0.before[index] = [1] } != nil)
            #expect(
                try damage { drawing in
                    drawing.before[index] = [1]
                    for later in index..<4 { drawing.centrals[later].offset += 1 }
                } == .order(name: names[index]))
        }
        #expect(try damage { $0.before[4] = [1] } == .order(name: names[3]))
    }

    @Test func refusesMembersThatOverlap() throws {
        #expect(
            try damage { $0.centrals[2].offset = $0.centrals[1].offset }
                == .order(name: drawing.locals[2].name))
        #expect(
            try damage { $0.centrals[3].offset = 0 } == .order(name: drawing.locals[3].name))
    }

    @Test func refusesADirectoryOfOtherMembers() throws {
        #expect(try damage { $0.centrals.removeLast() } != nil)
        #expect(try damage { $0.centrals.append($0.centrals[3]) } != nil)
        #expect(
            try damage { drawing in
                drawing.locals.removeLast()
                drawing.contents.removeLast()
            } != nil)
    }
}
