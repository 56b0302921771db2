import Encodings
import TestSupport
import Testing

@Suite struct MemberStreamTests {
    private static let whole: [MemberRecord] = [
        .leftOut(.finder, name: Array("__MACOSX/x".utf8)),
        .file(name: [0xFF, 0, 0x0A]), .data([1, 2]), .data([3]), .endOfFile,
        .file(name: Array("empty".utf8)), .endOfFile,
        .leftOut(.outside, name: Array("manifest.json".utf8)), .end,
    ]

    /// What a reader finds; the stream comes in parts of at most `part` bytes.
    private static func read(_ stream: [UInt8], part: Int = 1 << 20) throws -> [MemberRecord] {
        var rest = stream[...]
        var reader = MemberStreamReader { target in
            let bytes = rest.prefix(min(part, target.count))
            target.copyBytes(from: bytes)
            rest = rest.dropFirst(bytes.count)
            return bytes.count
        }
        var records: [MemberRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private static func stream(_ records: [MemberRecord]) -> [UInt8] { records.flatMap(\.encoded) }

    private static func error(_ stream: [UInt8]) -> MemberStreamError? {
        do {
            _ = try read(stream)
            return nil
        } catch {
            return error as? MemberStreamError
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1 << 20])
    func givesBackWhatWasWritten(part: Int) throws {
        #expect(try Self.read(Self.stream(Self.whole), part: part) == Self.whole)
    }

    @Test func carriesTheLongestNamesAndChunks() throws {
        let name = [UInt8](repeating: 7, count: MemberStream.longestName)
        let chunk = [UInt8](repeating: 9, count: MemberStream.largestChunk)
        let records: [MemberRecord] = [
            .file(name: name), .data(chunk), .data(chunk), .endOfFile,
            .refused(.longName, name: name),
        ]
        #expect(try Self.read(Self.stream(records), part: 1000) == records)
        #expect(Self.error(Self.stream([.file(name: name + [1]), .end])) == .pastLimit)
        #expect(
            Self.error(Self.stream([.file(name: [1]), .data(chunk + [1]), .end])) == .pastLimit)
        #expect(Self.error(Self.stream([.refused(.link, name: name + [1])])) == .pastLimit)
    }

    @Test func carriesEveryReason() throws {
        for reason in MemberRecord.Refusal.allCases {
            let refused: [MemberRecord] = [.refused(reason, name: [])]
            #expect(try Self.read(Self.stream(refused)) == refused)
        }
        for reason in MemberRecord.LeftOut.allCases {
            let leftOut: [MemberRecord] = [.leftOut(reason, name: [1]), .end]
            #expect(try Self.read(Self.stream(leftOut)) == leftOut)
        }
    }

    @Test func carriesARefusalInsideAFile() throws {
        let records: [MemberRecord] = [
            .file(name: [1]), .data([2]), .refused(.damaged, name: [1]),
        ]
        #expect(try Self.read(Self.stream(records)) == records)
    }

    @Test func refusesEveryStreamThatIsCutShort() {
        let stream = Self.stream(Self.whole)
        for count in 0..<stream.count {
            #expect(Self.error(Array(stream.prefix(count))) == .cutShort, "\(count)")
        }
    }

    @Test func refusesWhatFollowsTheEnd() {
        for end in [MemberRecord.end, .refused(.link, name: [1])] {
            #expect(Self.error(end.encoded + [0]) == .malformed)
            #expect(Self.error(end.encoded + MemberRecord.end.encoded) == .malformed)
        }
    }

    @Test(
        arguments: [
            [.data([1]), .end], [.endOfFile, .end], [.file(name: [1]), .end],
            [.file(name: [1]), .file(name: [2])],
            [.file(name: [1]), .leftOut(.outside, name: [2])],
            [.file(name: []), .endOfFile, .end], [.leftOut(.outside, name: []), .end],
            [.file(name: [1]), .data([]), .endOfFile, .end],
        ] as [[MemberRecord]])
    func refusesRecordsThatCannotStandThere(records: [MemberRecord]) {
        #expect(Self.error(Self.stream(records)) == .malformed)
    }

    @Test func refusesMarksAndReasonsThatAreNone() {
        for mark in UInt8.min...UInt8.max where !"FLRZ".utf8.contains(mark) {
            #expect(Self.error([mark, 0, 0, 0, 0, 0]) == .malformed)
        }
        for mark in "LR".utf8 {
            for reason in [0, 12, 255] as [UInt8] {
                #expect(Self.error([mark, reason, 0, 0, 0, 1, 65]) == .malformed)
            }
        }
    }

    @Test func boundsAFileAndTheNumberOfMembers() {
        let file: [MemberRecord] = [.file(name: [1]), .data([1, 2]), .data([3]), .endOfFile]
        let stream = Self.stream(file + [.leftOut(.outside, name: [1])] + file + [.end])
        for (largest, most, error) in [
            (3, 3, nil), (2, 3, .pastLimit), (1, 3, .pastLimit), (3, 2, .pastLimit),
            (3, 1, .pastLimit),
        ] as [(Int, Int, MemberStreamError?)] {
            var rest = stream[...]
            var reader = MemberStreamReader(largestMember: largest, mostMembers: most) { target in
                defer { rest = [] }
                target.copyBytes(from: rest)
                return rest.count
            }
            var found: MemberStreamError?
            do {
                while try reader.next() != nil {}
            } catch {
                found = error as? MemberStreamError
            }
            #expect(found == error)
        }
    }
}
