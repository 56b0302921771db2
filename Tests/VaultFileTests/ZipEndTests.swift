import Cryptography
import Encodings
import FileSystem
import Foundation
import TestSupport
import Testing
import VaultFile

/// What stands at the end of a container, and what is so large that the end has to say it.
@Suite struct ZipEndTests {
    private let place = TemporaryFolder()
    private let vector: VectorFile

    init() throws { vector = try VectorFile() }

    private func damage(_ bytes: [UInt8]) throws -> ZipDamage? {
        do {
            _ = try StoredZip(place.stored(bytes))
            return nil
        } catch let damage as ZipDamage {
            return damage
        }
    }

    private func damage(_ edit: (inout ZipDrawing) -> Void) throws -> ZipDamage? {
        var drawing = try vector.drawing
        edit(&drawing)
        return try damage(drawing.bytes)
    }

    // MARK: - The end record

    @Test func refusesAnotherEnd() throws {
        let edits: [(inout ZipDrawing) -> Void] = [
            { $0.end.disk = 1 }, { $0.end.directoryDisk = 1 }, { $0.end.countHere = 3 },
            { $0.end.count = 3 }, { $0.end.count = 0 }, { $0.end.comment = [0x78] },
            { $0.end.start = 0 }, { $0.end.start = .max - 1 }, { $0.end.size = 1 },
            { $0.end.size = .max - 1 }, { $0.tail = [0] },
            { $0.tail = [UInt8](repeating: 0, count: 70_000) },
            // A record for large files where none is needed.
            { $0.end.has64 = true },
            {
                $0.end.has64 = true
                $0.end.count = 0xFFFF
                $0.end.countHere = 0xFFFF
            },
            // None where the end says that there is one.
            {
                $0.end.count = 0xFFFF
                $0.end.countHere = 0xFFFF
            },
            { $0.end.start = .max }, { $0.end.size = .max },
        ]
        for (number, edit) in edits.enumerated() {
            #expect(try damage(edit) == .end, "edit \(number)")
        }
    }

    @Test func refusesASecondEnd() throws {
        let bytes = try vector.zip
        #expect(try damage(bytes + bytes.suffix(22)) == .end)
        #expect(try damage { $0.tail = $0.bytes } == .end)
    }

    @Test func refusesMoreMembersThanThereMayBe() throws {
        let directory = [UInt8](repeating: 0, count: 46)
        let header = ZipDrawing.Record(Array("sgvault.json".utf8), Array("{}".utf8)).local
        let start = header.count + 2
        for count in [StoredZip.maximumMembers + 1, Int.max] {
            let bytes =
                header + Array("{}".utf8) + directory
                + ZipDrawing.end64(count: count, start..<start + 46)
                + Little(0x0605_4B50 as UInt32, 0 as UInt32, UInt32.max).bytes
                + Little(46 as UInt32, UInt32(start), 0 as UInt16).bytes
            #expect(try damage(bytes) == .tooManyMembers)
        }
    }

    @Test func refusesNumbersThatLeadOutOfTheFile() throws {
        let header = ZipDrawing.Record(Array("sgvault.json".utf8), Array("{}".utf8)).local
        for (size, start) in [
            (UInt64.max, 0), (0, UInt64.max), (1 << 63, 1 << 63), (UInt64(Int.max), 44),
            (46, UInt64(Int.max)),
        ] as [(UInt64, UInt64)] {
            var records = ZipDrawing.end64(count: 1, 0..<0)
            records.replaceSubrange(40..<56, with: Little(size, start).bytes)
            let bytes =
                header + Array("{}".utf8) + records
                + Little(0x0605_4B50 as UInt32, 0 as UInt32, UInt32.max).bytes
                + Little(UInt32.max, UInt32.max, 0 as UInt16).bytes
            #expect(try damage(bytes) == .end)
        }
    }

    // MARK: - ZIP64

    /// The file of the vector that has `count` members, of records that are drawn once.
    private func file(of count: Int) throws -> [UInt8] {
        let drawing = ZipDrawing([
            ("sgvault.json", try vector.header), ("bare/data/obj-cas-imm-000000000000", [1]),
        ])
        var local = drawing.locals[1].local + [1]
        var central = drawing.centrals[1].central
        var file = drawing.locals[0].local + drawing.contents[0]
        var directory = drawing.centrals[0].central
        for number in 0..<count - 1 {
            let digits = Array(String(number, radix: 16).utf8)
            local.replaceSubrange(local.count - 1 - digits.count..<local.count - 1, with: digits)
            central.replaceSubrange(central.count - digits.count..<central.count, with: digits)
            central.replaceSubrange(42..<46, with: Little(UInt32(file.count)).bytes)
            file += local
            directory += central
        }
        let range = file.count..<file.count + directory.count
        return file + directory + drawing.ending(range, count: count)
    }

    @Test(arguments: ["65534", "65535", "65536"])
    func readsFilesWithManyMembers(_ count: String) throws {
        let number = try #require(Int(count))
        let bytes = try file(of: number)
        let rows = try vector.vectors.row("zip64")
        let expected: StaticString =
            switch number {
            case 65_534: "65534"
            case 65_535: "65535"
            default: "65536"
            }
        #expect(SHA256.digest(bytes).bytes == (try rows.hex(expected)))
        // Reading takes seconds where the code is not optimised.
        guard many > 65_536 || number == 65_535 else { return }
        // The reader takes no byte but those that the writer would have written.
        #expect(try StoredZip(place.stored(bytes)).entries.count == number)
    }

    @Test func refusesAnotherEndOfALargeFile() throws {
        let whole = try file(of: 65_535)
        let start = whole.count - 98
        let path = try place.write("large", whole)
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }
        for index in start..<whole.count {
            try file.seek(toOffset: UInt64(index))
            try file.write(contentsOf: Data([whole[index] ^ 1]))
            #expect(throws: ZipDamage.self, "byte \(index - start)") {
                try StoredZip(StoredFile(path))
            }
            try file.seek(toOffset: UInt64(index))
            try file.write(contentsOf: Data([whole[index]]))
        }
        #expect(try damage(Array(whole.prefix(start)) + whole.suffix(22)) == .end)
    }

    // MARK: - Past 4 GiB

    /// A member of a sparse file whose bytes are a hole.
    private struct Hole {
        let name: String
        let size: Int
    }

    /// Writes a file whose large members are holes, record by record as APPNOTE has them.
    ///
    /// - Returns: its path, and where each record of its directory begins.
    private func sparse(_ holes: [Hole]) throws -> (path: String, directory: Int) {
        let limit = 0xFFFF_FFFF
        let path = try place.write("sparse", [])
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }
        var directory: [UInt8] = []
        var offset = 0
        for hole in [Hole(name: "sgvault.json", size: 2)] + holes {
            let isLarge = hole.size >= limit
            let name = Array(hole.name.utf8)
            let shared =
                Little(UInt16(isLarge || offset >= limit ? 45 : 10)).bytes
                + Little(0 as UInt16, 0 as UInt16, 0 as UInt16, 0x21 as UInt16, 0 as UInt32).bytes
                + Little(UInt32(min(hole.size, limit)), UInt32(min(hole.size, limit))).bytes
                + Little(UInt16(name.count)).bytes
            let sizes = isLarge ? Little(UInt64(hole.size), UInt64(hole.size)).bytes : []
            let local =
                Little(0x0403_4B50 as UInt32).bytes + shared
                + Little(UInt16(isLarge ? 20 : 0)).bytes + name
                + (isLarge ? Little(1 as UInt16, 16 as UInt16).bytes + sizes : [])
            let places = sizes + (offset >= limit ? Little(UInt64(offset)).bytes : [])
            let extra =
                places.isEmpty ? [] : Little(1 as UInt16, UInt16(places.count)).bytes + places
            directory += Little(0x0201_4B50 as UInt32, 20 as UInt16).bytes + shared
            directory += Little(UInt16(extra.count), 0 as UInt64, 0 as UInt16).bytes
            directory += Little(UInt32(min(offset, limit))).bytes + name + extra
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: Data(local))
            offset += local.count + hole.size
        }
        let range = offset..<offset + directory.count
        let count = UInt16(holes.count + 1)
        let end64 =
            offset >= limit ? ZipDrawing.end64(count: holes.count + 1, range) : []
        let end =
            Little(0x0605_4B50 as UInt32, 0 as UInt32, count, count).bytes
            + Little(UInt32(directory.count), UInt32(min(offset, limit)), 0 as UInt16).bytes
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(directory + end64 + end))
        return (path, offset)
    }

    @Test(arguments: [0xFFFF_FFFE, 0xFFFF_FFFF, 0x1_0000_0005])
    func readsASparseFilePast4GiB(_ size: Int) throws {
        let (path, _) = try sparse([
            Hole(name: "bare/data/a", size: size), Hole(name: "bare/data/b", size: 0),
        ])
        let zip = try StoredZip(StoredFile(path))
        #expect(zip.entries.map(\.size) == [2, size, 0])
        #expect(zip.entries[2].offset > 0xFFFF_FFFF)
        #expect(try zip.read(zip.entries[2]).isEmpty)
    }

    @Test func theOffsetAloneSaturates() throws {
        let first = 0xFFFF_FFFF - 44 - 41
        for size in [first - 1, first, first + 1] {
            let (path, _) = try sparse([
                Hole(name: "bare/data/a", size: size), Hole(name: "bare/data/b", size: 0),
            ])
            let zip = try StoredZip(StoredFile(path))
            #expect(zip.entries[2].offset == 0xFFFF_FFFF + size - first)
        }
    }

    @Test func refusesALargeFileWithAnotherExtraField() throws {
        let (path, directory) = try sparse([
            Hole(name: "bare/data/a", size: 0x1_0000_0000), Hole(name: "bare/data/b", size: 0),
        ])
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        defer { try? file.close() }
        // In the record of the large member: the extra field's kind, its length, both sizes.
        let extra = directory + 46 + 12 + 46 + 11
        for index in [extra, extra + 2, extra + 4, extra + 12, extra - 11 - 46 + 6] {
            try file.seek(toOffset: UInt64(index))
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: UInt64(index))
            try file.write(contentsOf: Data([byte ^ 1]))
            #expect(throws: ZipDamage.directory(member: 1)) { try StoredZip(StoredFile(path)) }
            try file.seek(toOffset: UInt64(index))
            try file.write(contentsOf: Data([byte]))
        }
        _ = try StoredZip(StoredFile(path))
    }
}
