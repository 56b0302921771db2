import FileSystem
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct FileContentsTests {
    private let place = TemporaryFolder()

    private static let sizes = [0, 1, 2, 4095, 65_535, 65_536, 65_537, 140_000]

    /// The reading end of a pipe that gives these bytes and then ends.
    private func pipe(holding bytes: [UInt8]) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        try #require(Glibc.pipe(&ends) == 0)
        let end = ends[1]
        Thread {
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
                guard written > 0 || errno == EINTR else { break }
                rest = rest.dropFirst(max(written, 0))
            }
            close(end)
        }.start()
        return ends[0]
    }

    private func read(
        _ path: String, limit: Int, before: Int = 0, after: Int = 0
    ) throws -> [UInt8] {
        try FileContents.read(Array(path.utf8), limit: limit, before: before, after: after)
    }

    private func isZero(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 == 0 } }

    // MARK: - Sizes

    @Test(arguments: sizes) func readsAFileOfAnySize(size: Int) throws {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(size)
        let path = try place.write("file", bytes)
        #expect(try read(path, limit: size) == bytes, "seed \(numbers.seed)")
    }

    @Test(arguments: sizes) func readsAPipeToItsEnd(size: Int) throws {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(size)
        let end = try pipe(holding: bytes)
        defer { close(end) }
        let found = try FileContents.read(end, path: "pipe", limit: size)
        #expect(found == bytes, "seed \(numbers.seed)")
    }

    @Test(arguments: sizes) func leavesRoomOfZerosAroundAFile(size: Int) throws {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(size)
        let path = try place.write("file", bytes)
        let found = try read(path, limit: size, before: 12, after: 16)
        #expect(found.count == 12 + size + 16)
        #expect(isZero(found[..<12]) && isZero(found[(12 + size)...]))
        #expect(found[12..<12 + size] == bytes[...], "seed \(numbers.seed)")
    }

    @Test(arguments: sizes) func leavesRoomOfZerosAroundAPipe(size: Int) throws {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(size)
        let end = try pipe(holding: bytes)
        defer { close(end) }
        let found = try FileContents.read(end, path: "pipe", limit: size, before: 7, after: 9)
        #expect(found.count == 7 + size + 9)
        #expect(isZero(found[..<7]) && isZero(found[(7 + size)...]))
        #expect(found[7..<7 + size] == bytes[...], "seed \(numbers.seed)")
    }

    @Test func readsAFileThatSaysItIsEmpty() throws {
        let found = try read("/proc/version", limit: 65_536)
        #expect(found.starts(with: "Linux".utf8) && found.last == 0x0A)
    }

    @Test func readsADescriptorFromWhereItStands() throws {
        let path = try place.write("file", [1, 2, 3, 4])
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        lseek(file, 2, SEEK_SET)
        #expect(try FileContents.read(file, path: path, limit: 4) == [3, 4])
    }

    // MARK: - Limits

    @Test func refusesAFileOneBytePastTheLimit() throws {
        let path = try place.write("file", [1, 2, 3])
        #expect(try read(path, limit: 3, before: 5, after: 5).count == 13)
        #expect(throws: FileError.tooLarge(path: path, size: 3, limit: 2)) {
            try read(path, limit: 2)
        }
    }

    @Test func refusesAPipeOneBytePastTheLimit() throws {
        for (limit, isTaken) in [(1000, true), (999, false), (0, false)] {
            let end = try pipe(holding: [UInt8](repeating: 1, count: 1000))
            defer { close(end) }
            let found = try? FileContents.read(end, path: "pipe", limit: limit, before: 3)
            #expect((found != nil) == isTaken, "\(limit)")
        }
    }

    @Test func refusesAHugeSparseFileBeforeItTakesMemory() throws {
        let path = try place.write("sparse", [])
        #expect(truncate(path, 1 << 40) == 0)
        #expect(throws: FileError.tooLarge(path: path, size: 1 << 40, limit: 1000)) {
            try read(path, limit: 1000)
        }
    }

    // MARK: - What is read

    @Test func followsALink() throws {
        try place.write("file", [1])
        #expect(symlink("file", place.path + "/link") == 0)
        #expect(try read(place.path + "/link", limit: 10) == [1])
    }

    @Test func readsAFileWhoseNameIsNoText() throws {
        let path = Array(place.path.utf8) + [0x2F, 0xFF, 0xFE]
        let file = (path + [0]).withUnsafeBytes { name in
            name.bindMemory(to: CChar.self).baseAddress
                .map { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) } ?? -1
        }
        #expect(write(file, "abc", 3) == 3)
        close(file)
        #expect(try FileContents.read(path, limit: 3) == Array("abc".utf8))
    }

    @Test func readsNoFolder() {
        #expect(throws: FileError.notRegular(path: place.path)) {
            try read(place.path, limit: 10)
        }
    }

    @Test func saysThatAFileIsNotThere() {
        #expect(throws: FileError.notFound(path: place.path + "/absent")) {
            try read(place.path + "/absent", limit: 10)
        }
    }

    @Test func refusesAClosedDescriptor() {
        #expect(throws: FileError.system(operation: "look up", path: "x", code: EBADF)) {
            try FileContents.read(9999, path: "x", limit: 10)
        }
    }
}
