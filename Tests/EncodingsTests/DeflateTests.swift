import Encodings
import Foundation
import TestSupport
import Testing

@Suite struct DeflateTests {
    /// A plaintext, and what Python's `zlib.compress` makes of it at levels 6 and 0.
    static let made: [(plain: [UInt8], streams: [String])] = [
        ([], ["789c030000000001", "7801010000ffff00000001"]),
        (Array("a".utf8), ["789c4b040000620062", "7801010100feff6100620062"]),
        (
            Array(String(repeating: "hello ", count: 10).utf8),
            [
                "789ccb48cdc9c957c8208b0400a6c01609",
                "7801013c00c3ff"
                    + "68656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f20"
                    + "68656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f20a6c01609",
            ]
        ),
    ]

    private static func stream(_ hex: String) throws -> [UInt8] {
        try #require(Hex.decode(Array(hex.utf8)))
    }

    @Test func inflatesWhatPythonDeflated() throws {
        for (plain, streams) in Self.made {
            for hex in streams {
                #expect(try Deflate.inflate(Self.stream(hex)[...], limit: 1000) == plain)
            }
        }
    }

    @Test func deflatesAsPythonDoesAtLevelSix() throws {
        for (plain, streams) in Self.made {
            #expect(Deflate.deflate(plain) == (try Self.stream(streams[0])))
        }
    }

    @Test func inflatesWhatItDeflates() throws {
        var numbers = SeededNumbers()
        for count in [0, 1, 100, 4095, 4096, 4097, 65_535, 65_536, 65_537, 300_000] {
            let bytes = count < 70_000 ? numbers.bytes(count) : [UInt8](repeating: 7, count: count)
            #expect(
                try Deflate.inflate(Deflate.deflate(bytes)[...], limit: count) == bytes,
                "\(count) bytes, seed \(numbers.seed)")
        }
    }

    @Test(arguments: [1, 5, 1000, 4096, 4097, 100_000])
    func takesExactlyTheLimitAndNoByteMore(count: Int) throws {
        let stream = Deflate.deflate([UInt8](repeating: 1, count: count))
        #expect(try Deflate.inflate(stream[...], limit: count).count == count)
        #expect(throws: DeflateError.pastLimit(count - 1)) {
            try Deflate.inflate(stream[...], limit: count - 1)
        }
    }

    @Test func takesAnEmptyPlaintextUnderALimitOfNothing() throws {
        #expect(try Deflate.inflate(Deflate.deflate([])[...], limit: 0).isEmpty)
        #expect(throws: DeflateError.pastLimit(0)) {
            try Deflate.inflate(Deflate.deflate([1])[...], limit: 0)
        }
    }

    @Test func inflatesFarPastItsFirstGuess() throws {
        let plain = [UInt8](repeating: 0, count: 10_000_000)
        #expect(try Deflate.inflate(Deflate.deflate(plain)[...], limit: 1 << 31) == plain)
    }

    @Test func readsASliceThatDoesNotBeginAtZero() throws {
        let stream = Deflate.deflate([1, 2, 3])
        #expect(try Deflate.inflate(([9, 9] + stream)[2...], limit: 3) == [1, 2, 3])
    }

    @Test func ignoresBytesAfterTheStream() throws {
        let stream = Deflate.deflate(Array("hello".utf8))
        #expect(
            try Deflate.inflate((stream + Array("junk".utf8))[...], limit: 5) == Array("hello".utf8)
        )
    }

    @Test func refusesEveryStreamCutShort() throws {
        let stream = Deflate.deflate(Array("hello hello hello".utf8))
        for count in 0..<stream.count {
            #expect(throws: DeflateError.malformed) {
                try Deflate.inflate(stream[..<count], limit: 1000)
            }
        }
    }

    @Test func refusesALongStreamCutShort() throws {
        let stream = Deflate.deflate([UInt8](repeating: 0, count: 1_000_000))
        #expect(throws: DeflateError.malformed) {
            try Deflate.inflate(stream[..<(stream.count - 1)], limit: 2_000_000)
        }
    }

    @Test func refusesAWrongChecksum() throws {
        var stream = Deflate.deflate(Array("hello".utf8))
        stream[stream.count - 1] ^= 1
        #expect(throws: DeflateError.malformed) { try Deflate.inflate(stream[...], limit: 1000) }
    }

    @Test func refusesRawDeflateAndGzip() throws {
        let stream = Deflate.deflate(Array("hello".utf8))
        #expect(throws: DeflateError.malformed) {
            try Deflate.inflate(stream[2..<(stream.count - 4)], limit: 1000)
        }
        let gzip = try Self.stream("1f8b08000000000000034b040043beb7e801000000")
        #expect(throws: DeflateError.malformed) { try Deflate.inflate(gzip[...], limit: 1000) }
    }

    @Test func answersOrThrowsForRandomBytes() {
        var numbers = SeededNumbers()
        let stream = Deflate.deflate(numbers.bytes(50) + [UInt8](repeating: 3, count: 500))
        for _ in 0..<5000 {
            var broken = stream
            for _ in 0..<1 + numbers.below(3) {
                broken[numbers.below(broken.count)] = UInt8(truncatingIfNeeded: numbers.next())
            }
            if let plain = try? Deflate.inflate(broken[...], limit: 2000) {
                #expect(plain.count <= 2000, "seed \(numbers.seed)")
            }
        }
    }

    @Test func refusesABombOfOneGiBWithoutTakingItsMemory() async throws {
        await #expect(processExitsWith: .success) {
            let piece = try #require(Hex.decode(Array(DeflateTests.piece.utf8)))
            var bomb: [UInt8] = [0x78, 0xDA]
            for _ in 0..<16_384 { bomb += piece }
            let before = try DeflateTests.peakMemory()
            #expect(throws: DeflateError.pastLimit(1 << 20)) {
                try Deflate.inflate(bomb[...], limit: 1 << 20)
            }
            let grown = try DeflateTests.peakMemory() - before
            #expect(grown < 4 << 20, "\(grown) bytes")
        }
    }

    @Test func refusesABombPastALargeLimitWithoutTakingThatLimit() async throws {
        await #expect(processExitsWith: .success) {
            let piece = try #require(Hex.decode(Array(DeflateTests.piece.utf8)))
            var bomb: [UInt8] = [0x78, 0xDA]
            for _ in 0..<16_384 { bomb += piece }
            let before = try DeflateTests.peakMemory()
            #expect(throws: DeflateError.pastLimit(1 << 28)) {
                try Deflate.inflate(bomb[...], limit: 1 << 28)
            }
            let grown = try DeflateTests.peakMemory() - before
            #expect(grown < 16 << 20, "\(grown) bytes")
        }
    }

    /// The most memory that this process has had, in bytes.
    static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }

    /// 64 KiB of zeros, ended by a full flush, so that it can stand any number of times.
    static let piece =
        "ecc101010000008090feafee080a" + String(repeating: "0", count: 126) + "6a000000ffff"
}
