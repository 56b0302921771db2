import Encodings
import FileSystem
import Foundation
import TestSupport

/// A zip made record by record, by other code than the writer's; every field of every record may be another one.
struct ZipDrawing {
    /// The fields of a local header and of its twin in the directory.
    struct Record {
        var name: [UInt8]
        var madeBy: UInt16 = 20
        var needed: UInt16 = 10
        var flags: UInt16 = 0
        var method: UInt16 = 0
        var time: UInt16 = 0
        var date: UInt16 = 0x21
        var checksum: UInt32
        var packed: UInt32
        var size: UInt32
        var extra: [UInt8] = []
        var comment: [UInt8] = []
        var disk: UInt16 = 0
        var inner: UInt16 = 0
        var outer: UInt32 = 0
        var offset: UInt32 = 0

        init(_ name: [UInt8], _ bytes: [UInt8]) {
            self.name = name
            checksum = CRC32.checksum(bytes)
            packed = UInt32(bytes.count)
            size = UInt32(bytes.count)
        }

        var local: [UInt8] {
            Little(0x0403_4B50 as UInt32, needed, flags, method, time, date).bytes
                + Little(checksum, packed, size).bytes
                + Little(UInt16(name.count), UInt16(extra.count)).bytes + name + extra
        }

        var central: [UInt8] {
            Little(0x0201_4B50 as UInt32, madeBy, needed, flags, method, time, date).bytes
                + Little(checksum, packed, size).bytes
                + Little(UInt16(name.count), UInt16(extra.count), UInt16(comment.count)).bytes
                + Little(disk, inner, outer, offset).bytes + name + extra + comment
        }
    }

    /// The fields of what stands behind the directory; nil is what belongs there.
    struct End {
        var disk: UInt16 = 0
        var directoryDisk: UInt16 = 0
        var countHere: UInt16?
        var count: UInt16?
        var size: UInt32?
        var start: UInt32?
        var comment: [UInt8] = []
        /// What a file of 65,535 members and more has before the end record.
        var has64: Bool?
        var edit64: (inout [UInt8]) -> Void = { _ in }
    }

    var locals: [Record]
    var centrals: [Record]
    var contents: [[UInt8]]
    /// What stands before the first member, before the member of that number, before the directory and behind the end.
    var before: [Int: [UInt8]] = [:]
    var tail: [UInt8] = []
    var end = End()

    init(_ members: [(name: String, bytes: [UInt8])]) {
        locals = members.map { Record(Array($0.name.utf8), $0.bytes) }
        centrals = locals
        contents = members.map(\.bytes)
        var offset: UInt32 = 0
        for index in locals.indices {
            centrals[index].offset = offset
            offset += UInt32(locals[index].local.count + contents[index].count)
        }
    }

    /// Changes a member's record in both places.
    mutating func edit(_ index: Int, _ change: (inout Record) -> Void) {
        change(&locals[index])
        change(&centrals[index])
    }

    var bytes: [UInt8] {
        var file: [UInt8] = []
        for index in locals.indices {
            file += before[index] ?? []
            file += locals[index].local
            file += contents[index]
        }
        file += before[locals.count] ?? []
        let start = file.count
        for record in centrals { file += record.central }
        let directory = start..<file.count
        return file + ending(directory, count: centrals.count) + tail
    }

    /// What stands behind a directory of `count` members.
    func ending(_ directory: Range<Int>, count: Int) -> [UInt8] {
        var records: [UInt8] = []
        if end.has64 ?? (count >= 65_535) {
            records = ZipDrawing.end64(count: count, directory)
            end.edit64(&records)
        }
        let short = UInt16(min(count, 65_535))
        return records
            + Little(0x0605_4B50 as UInt32, end.disk, end.directoryDisk).bytes
            + Little(end.countHere ?? short, end.count ?? short).bytes
            + Little(end.size ?? UInt32(directory.count)).bytes
            + Little(end.start ?? UInt32(directory.lowerBound)).bytes
            + Little(UInt16(end.comment.count)).bytes + end.comment
    }

    static func end64(count: Int, _ directory: Range<Int>) -> [UInt8] {
        Little(0x0606_4B50 as UInt32, 44 as UInt64, 45 as UInt16, 45 as UInt16).bytes
            + Little(0 as UInt32, 0 as UInt32, UInt64(count), UInt64(count)).bytes
            + Little(UInt64(directory.count), UInt64(directory.lowerBound)).bytes
            + Little(0x0706_4B50 as UInt32, 0 as UInt32, UInt64(directory.upperBound)).bytes
            + Little(1 as UInt32).bytes
    }
}

/// Numbers in little-endian order, one behind the other.
struct Little {
    let bytes: [UInt8]

    init<each Number: FixedWidthInteger>(_ numbers: repeat each Number) {
        var bytes: [UInt8] = []
        for number in repeat each numbers {
            withUnsafeBytes(of: number.littleEndian) { bytes += Array($0) }
        }
        self.bytes = bytes
    }
}

extension TemporaryFolder {
    /// Writes a file and opens it.
    func stored(_ bytes: [UInt8], as name: String = "file.sgvault") throws -> StoredFile {
        try StoredFile(write(name, bytes))
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }
}
