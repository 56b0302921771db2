// How the program that parses an archive tells the one that trusts nobody what it found: records one after the
// other, each with a first byte that says what it is. Numbers are big-endian, lengths have a bound each.
//
//     F length(4) name                a file begins
//     D length(4) bytes               the next 1 … 65,536 bytes of it
//     E                               it is whole
//     L reason(1) length(4) name      a member that is left out
//     R reason(1) length(4) name      the archive is refused; nothing follows
//     Z                               the archive is whole; nothing follows
//
// D and E stand inside a file; F, L and Z between files; R anywhere, and its name may be empty.

/// One record of the stream.
package enum MemberRecord: Equatable {
    case file(name: [UInt8])
    case data([UInt8])
    case endOfFile
    case leftOut(LeftOut, name: [UInt8])
    case refused(Refusal, name: [UInt8])
    case end

    /// Why a member is not handed on.
    package enum LeftOut: UInt8, CaseIterable {
        /// It does not stand below a folder `bare`.
        case outside = 1
        /// What Finder adds: `__MACOSX/`, `.DS_Store`, `._name`.
        case finder = 2
    }

    /// Why an archive is refused as a whole.
    package enum Refusal: UInt8, CaseIterable {
        case notAnArchive = 1
        case damaged = 2
        /// An absolute name, `..`, a backslash, NUL, or none.
        case badName = 3
        case longName = 4
        /// A link of either kind.
        case link = 5
        /// A device, pipe or socket.
        case special = 6
        case encrypted = 7
        case largeMember = 8
        /// It would unpack to more than its size allows.
        case expands = 9
        case tooManyMembers = 10
        /// Compressed more than once.
        case nested = 11
    }
}

/// The bounds of a stream; a writer keeps them, and a reader believes in nobody's.
package enum MemberStream {
    /// The longest name, in bytes.
    package static let longestName = 1 << 16
    package static let largestChunk = 1 << 16
    /// The largest file: a blob of 2 GiB and what its envelope adds.
    package static let largestMember = 1 << 31 + 4096
    /// Files and members left out, taken together.
    package static let mostMembers = 1 << 22

    fileprivate enum Mark {
        static let file = UInt8(ascii: "F")
        static let data = UInt8(ascii: "D")
        static let endOfFile = UInt8(ascii: "E")
        static let leftOut = UInt8(ascii: "L")
        static let refused = UInt8(ascii: "R")
        static let end = UInt8(ascii: "Z")
    }
}

extension MemberRecord {
    /// The record as it stands in a stream.
    package var encoded: [UInt8] {
        switch self {
        case .file(let name): [MemberStream.Mark.file] + Self.withLength(name)
        case .data(let bytes): [MemberStream.Mark.data] + Self.withLength(bytes)
        case .endOfFile: [MemberStream.Mark.endOfFile]
        case .leftOut(let reason, let name):
            [MemberStream.Mark.leftOut, reason.rawValue] + Self.withLength(name)
        case .refused(let reason, let name):
            [MemberStream.Mark.refused, reason.rawValue] + Self.withLength(name)
        case .end: [MemberStream.Mark.end]
        }
    }

    private static func withLength(_ bytes: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
    }
}

/// Why a stream was refused.
package enum MemberStreamError: Error, Equatable {
    /// It ended before the record that ends it.
    case cutShort
    /// A record that is none, or one where it cannot stand.
    case malformed
    case pastLimit
}

/// Reads a stream record by record; never more than one of them is in memory.
package struct MemberStreamReader {
    private enum Place {
        case between
        /// In a file of which so many bytes have come.
        case inFile(Int)
        case ended
    }

    /// Fills some of the bytes it is given and says how many; 0 at the end.
    private let source: (UnsafeMutableRawBufferPointer) throws -> Int
    private let largestMember: Int
    private let mostMembers: Int
    /// What the source gave and is not taken yet stands at `waiting`.
    private var buffer = [UInt8](repeating: 0, count: 2 * MemberStream.largestChunk)
    private var waiting = 0..<0
    private var place = Place.between
    private var members = 0

    package init(
        largestMember: Int = MemberStream.largestMember,
        mostMembers: Int = MemberStream.mostMembers,
        _ source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.largestMember = largestMember
        self.mostMembers = mostMembers
        self.source = source
    }

    /// The next record; nil behind the one that ends the stream, once nothing follows it.
    ///
    /// - Throws: `MemberStreamError`; what the source throws.
    package mutating func next() throws -> MemberRecord? {
        if case .ended = place {
            guard try isAtEnd() else { throw MemberStreamError.malformed }
            return nil
        }
        let mark = try take(1)[0]
        switch (mark, place) {
        case (MemberStream.Mark.file, .between):
            try countMember()
            place = .inFile(0)
            return .file(name: try takeName())
        case (MemberStream.Mark.data, .inFile(let count)):
            let length = try takeLength(1...MemberStream.largestChunk)
            guard count + length <= largestMember else {
                throw MemberStreamError.pastLimit
            }
            place = .inFile(count + length)
            return .data(try take(length))
        case (MemberStream.Mark.endOfFile, .inFile):
            place = .between
            return .endOfFile
        case (MemberStream.Mark.leftOut, .between):
            try countMember()
            guard let reason = MemberRecord.LeftOut(rawValue: try take(1)[0]) else {
                throw MemberStreamError.malformed
            }
            return .leftOut(reason, name: try takeName())
        case (MemberStream.Mark.refused, _):
            guard let reason = MemberRecord.Refusal(rawValue: try take(1)[0]) else {
                throw MemberStreamError.malformed
            }
            place = .ended
            return .refused(reason, name: try take(takeLength(0...MemberStream.longestName)))
        case (MemberStream.Mark.end, .between):
            place = .ended
            return .end
        default: throw MemberStreamError.malformed
        }
    }

    private mutating func countMember() throws {
        members += 1
        guard members <= mostMembers else { throw MemberStreamError.pastLimit }
    }

    private mutating func takeName() throws -> [UInt8] {
        try take(takeLength(1...MemberStream.longestName))
    }

    private mutating func takeLength(_ bounds: ClosedRange<Int>) throws -> Int {
        let length = try take(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= bounds.upperBound else { throw MemberStreamError.pastLimit }
        guard length >= bounds.lowerBound else { throw MemberStreamError.malformed }
        return length
    }

    /// The next `count` bytes, at most those of a chunk.
    private mutating func take(_ count: Int) throws -> [UInt8] {
        while waiting.count < count {
            guard try refill() else { throw MemberStreamError.cutShort }
        }
        let start = waiting.lowerBound
        waiting = start + count..<waiting.upperBound
        return Array(buffer[start..<start + count])
    }

    private mutating func isAtEnd() throws -> Bool {
        try waiting.isEmpty && !refill()
    }

    /// Asks the source once; no where it has ended.
    private mutating func refill() throws -> Bool {
        let old = waiting
        waiting = 0..<old.count
        let got = try buffer.withUnsafeMutableBytes { bytes in
            bytes.copyBytes(from: UnsafeRawBufferPointer(rebasing: bytes[old]))
            return try source(UnsafeMutableRawBufferPointer(rebasing: bytes[old.count...]))
        }
        waiting = 0..<old.count + got
        return got > 0
    }
}
