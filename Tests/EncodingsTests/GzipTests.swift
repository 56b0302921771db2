import Encodings
import Foundation
import TestSupport
import Testing

@Suite struct GzipTests {
    private static func gzip(_ plaintext: [UInt8]) throws -> [UInt8] {
        let place = TemporaryFolder()
        let path = try place.write("file", plaintext)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-n", path]
        try process.run()
        process.waitUntilExit()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path + ".gz")))
    }

    private static func error(
        _ file: [UInt8], limit: Int = 1 << 20, part: Int = 1 << 16
    ) -> DeflateError? {
        let check = GzipCheck(limit: limit)
        do throws(DeflateError) {
            var rest = file[...]
            while !rest.isEmpty {
                let bytes = Array(rest.prefix(part))
                rest = rest.dropFirst(part)
                var refusal: DeflateError?
                bytes.withUnsafeBytes { bytes in
                    do throws(DeflateError) { try check.take(bytes) } catch { refusal = error }
                }
                if let refusal { throw refusal }
            }
            try check.finish()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, 65_536, 300_000])
    func takesWhatGzipWrote(count: Int) throws {
        let file = try Self.gzip((0..<count).map { UInt8(truncatingIfNeeded: $0 / 100) })
        for part in [1, 7, 1 << 16] {
            #expect(Self.error(file, part: part) == nil)
            #expect(Self.error(file + file, part: part) == nil)
            #expect(Self.error(file + [0, 0, 0], part: part) == nil)
        }
    }

    @Test func refusesEveryByteOfTheChecksumsThatIsAnother() throws {
        var file = try Self.gzip(Array("some text, some text, some text".utf8))
        for place in file.count - 8..<file.count {
            file[place] ^= 1
            #expect(Self.error(file) == .malformed)
            file[place] ^= 1
        }
    }

    @Test func refusesAFileThatIsCutShort() throws {
        let file = try Self.gzip(Array("some text, some text, some text".utf8))
        for count in 0..<file.count { #expect(Self.error(Array(file.prefix(count))) == .malformed) }
    }

    @Test func refusesWhatFollowsAndIsNone() throws {
        let file = try Self.gzip([1])
        #expect(Self.error(file + [1]) == .malformed)
        #expect(Self.error(file + [0, 1]) == .malformed)
        #expect(Self.error(file + [0] + file, part: 1) == .malformed)
    }

    @Test func stopsAtItsLimit() throws {
        let file = try Self.gzip([UInt8](repeating: 0, count: 1000))
        #expect(Self.error(file, limit: 1000) == nil)
        #expect(Self.error(file, limit: 999) == .pastLimit(999))
    }
}
