import Cryptography
import Encodings
import FileSystem
import Foundation
import Objects
import TestSupport
import Testing
import VaultFile

/// What is brought out of a damaged file.
@Suite struct SalvageTests {
    private let place = TemporaryFolder()
    private let members: [(name: String, bytes: [UInt8])]

    init() throws {
        var numbers = SeededNumbers()
        var objects: [(name: String, bytes: [UInt8])] = []
        for count in [0, 1, 40, 500, 3000] {
            let bytes = numbers.bytes(count)
            objects.append(("bare/data/" + ObjectID(naming: bytes, width: .hex32).text, bytes))
        }
        objects.sort { $0.name < $1.name }
        members =
            [("sgvault.json", Array("{}\n".utf8))] + objects + [
                ("bare/keys/key-rnd-imm-0123456789abcdef", [7, 8, 9]),
                ("bare/refs/ref-pid-muw-000000000000", [1, 2, 3]),
            ]
    }

    private struct Outcome {
        let damaged: [String]
        /// The names that came out, below `bare/`.
        let sound: [String]
    }

    private func salvage(_ bytes: [UInt8]) throws -> Outcome {
        let target = place.path + "/" + UUID().uuidString
        var salvage = Salvage(try place.stored(bytes))
        let folder = try NewBareFolder(in: target, runtimeFolder: nil)
        try salvage.run(into: folder)
        try folder.finish()
        let tree = FileManager.default.subpaths(atPath: target + "/bare") ?? []
        let sound = tree.filter { $0.contains("-") }.sorted()
        #expect(sound == salvage.sound.map { String($0.text.dropFirst(5)) }.sorted())
        for name in sound {
            let found = try #require(FileManager.default.contents(atPath: "\(target)/bare/\(name)"))
            #expect(members.first { $0.name == "bare/" + name }?.bytes == Array(found))
        }
        return Outcome(damaged: salvage.damaged.map(\.text), sound: sound)
    }

    private var names: [String] { members.dropFirst().map { String($0.name.dropFirst(5)) } }

    @Test func bringsEverythingOutOfAWholeFile() throws {
        let outcome = try salvage(ZipDrawing(members).bytes)
        #expect(outcome.damaged.isEmpty)
        #expect(outcome.sound == names.sorted())
    }

    @Test func bringsOutWhatStandsBeforeACut() throws {
        let drawing = ZipDrawing(members)
        let bytes = drawing.bytes
        var ends: [Int] = []
        var place = 0
        for index in drawing.locals.indices {
            place += drawing.locals[index].local.count + drawing.contents[index].count
            ends.append(place)
        }
        for count in stride(from: 0, to: bytes.count, by: 97) {
            let outcome = try salvage(Array(bytes.prefix(count)))
            let whole = zip(members, ends).dropFirst().filter { $1 <= count }.map(\.0.name)
            #expect(
                outcome.sound == whole.map { String($0.dropFirst(5)) }.sorted(), "cut to \(count)")
        }
    }

    @Test func losesAtMostWhatAFlippedByteLiesIn() throws {
        let drawing = ZipDrawing(members)
        let bytes = drawing.bytes
        for index in stride(from: 0, to: bytes.count, by: 67) {
            var flipped = bytes
            flipped[index] ^= 0x20
            let outcome = try salvage(flipped)
            #expect(Set(names).subtracting(outcome.sound).count <= 1, "byte \(index)")
        }
    }

    @Test func eitherRecordIsEnough() throws {
        // Without any local header, and without the directory.
        var drawing = ZipDrawing(members)
        var wiped = drawing.bytes
        var place = 0
        for index in drawing.locals.indices {
            wiped[place] = 0
            place += drawing.locals[index].local.count + drawing.contents[index].count
        }
        #expect(try salvage(wiped).sound == names.sorted())
        drawing.centrals = []
        #expect(try salvage(drawing.bytes).sound == names.sorted())
    }

    @Test func namesWhatIsDamaged() throws {
        var drawing = ZipDrawing(members)
        let large = try #require(members.firstIndex { $0.bytes.count == 3000 })
        drawing.contents[large][0] ^= 1
        drawing.contents[6][0] ^= 1
        let outcome = try salvage(drawing.bytes)
        #expect(outcome.damaged == [members[large].name, members[6].name].sorted())
        #expect(outcome.sound.count == names.count - 2)
    }

    @Test func findsRecordsAnywhere() throws {
        let filling = [UInt8](repeating: 0x50, count: (1 << 20) - 50)
        let bytes = ZipDrawing(members).bytes
        for count in [0, 45, 700] {
            // So that records stand across the end of the window.
            let moved = filling + [UInt8](repeating: 0, count: count) + bytes
            #expect(try salvage(moved).sound == names.sorted(), "after \(count)")
        }
    }

    @Test func takesNoNameThatLeadsOut() throws {
        let evil: [(name: String, bytes: [UInt8])] = [
            ("bare/../../evil-1", [1]), ("/bare/data/evil-2", [1]), ("evil-3", [1]),
            ("bare/data/.evil-4", [1]), ("sgvault.json", [1]),
        ]
        let outcome = try salvage(ZipDrawing(evil).bytes)
        #expect(outcome.sound.isEmpty && outcome.damaged.isEmpty)
    }

    @Test func aNameThatIsAlsoAFolderIsLeft() throws {
        let twice: [(name: String, bytes: [UInt8])] = [
            ("bare/a-b/c-d", [1]), ("bare/a-b/c-d/e-f", [2]),
        ]
        var salvage = Salvage(try place.stored(ZipDrawing(twice).bytes))
        let folder = try NewBareFolder(in: place.path + "/out", runtimeFolder: nil)
        try salvage.run(into: folder)
        try folder.finish()
        #expect(salvage.sound.map(\.text) == ["bare/a-b/c-d"])
        #expect(salvage.damaged.map(\.text) == ["bare/a-b/c-d/e-f"])
    }

    // MARK: - Records that lie

    /// A local record that says `size`, in the extra field of a large member where it must.
    private func record(_ name: String, size: UInt64) -> [UInt8] {
        var record = ZipDrawing.Record(Array(name.utf8), [])
        record.size = UInt32(clamping: size)
        record.packed = record.size
        if size >= UInt64(UInt32.max) {
            record.extra = Little(1 as UInt16, 16 as UInt16, size, size).bytes
        }
        return record.local
    }

    @Test(arguments: [5000, 0xFFFF_FFFE, 1 << 40, UInt64(Int.max), .max] as [UInt64])
    func aSecondRecordThatLiesHidesNothing(_ size: UInt64) throws {
        var drawing = ZipDrawing(members)
        drawing.centrals = []
        // Of a member that was brought out already.
        drawing.before[3] = record(members[2].name, size: size)
        #expect(try salvage(drawing.bytes).sound == names.sorted())
    }

    @Test(arguments: [5000, 0xFFFF_FFFE, 1 << 40, UInt64(Int.max), .max] as [UInt64])
    func aFirstRecordThatLiesHidesNothing(_ size: UInt64) throws {
        var drawing = ZipDrawing(members)
        drawing.before[0] = record(members[2].name, size: size)
        drawing.before[4] = record("bare/data/other-x", size: size)
        #expect(try salvage(drawing.bytes).sound == names.sorted())
    }

    @Test func recordsOverOneAnotherTakeBoundedTime() throws {
        // Every record says that what follows it, to the end of the file, is its member.
        let count = 4000
        var bytes: [UInt8] = []
        let length = record("bare/data/aaaaaa", size: 0).count
        for number in 0..<count {
            let rest = (count - number - 1) * length + 1 << 20
            bytes += record("bare/data/\(100_000 + number)", size: UInt64(rest))
        }
        bytes += [UInt8](repeating: 0, count: 1 << 20)
        let start = ContinuousClock.now
        var salvage = Salvage(try place.stored(bytes))
        let folder = try NewBareFolder(in: place.path + "/out", runtimeFolder: nil)
        try salvage.run(into: folder)
        #expect(salvage.damaged.count == count)
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
