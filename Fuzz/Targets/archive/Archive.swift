// The input is a file that another program made: a zip or a tar. It is read as sgit-read-archive reads it, from a
// file in memory.
import CLinux
import Encodings
import FileSystem
import ForeignArchives
import Glibc
import Harness

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let file = clinux_memory_file("archive")
    guard file >= 0, write(file, input, input.count) == input.count else {
        fatalError("no file in memory")
    }
    defer { close(file) }
    do {
        let archive = try ForeignArchive(file, path: "input")
        var check = StreamCheck(size: input.count)
        let isWhole = try archive.read { check.take($0) }
        expect(check.isWhole == isWhole, "the last record says how it ended")
    } catch FileError.system(_, _, let code) {
        expect(code == ENOMEM, "nothing but memory fails")
    } catch {
        fatalError("broken: an error that is not declared: \(error)")
    }
    return 0
}

/// What every stream keeps to.
private struct StreamCheck {
    let size: Int
    /// Nil until the last record.
    var isWhole: Bool?
    private var total = 0
    private var isInside = false

    init(size: Int) { self.size = size }

    mutating func take(_ record: MemberRecord) {
        expect(isWhole == nil, "nothing follows the last record")
        switch record {
        case .file(let name):
            expect(!isInside, "a file begins between files")
            checkName(name)
            isInside = true
        case .data(let bytes):
            expect(isInside && !bytes.isEmpty, "bytes are of a file")
            total += bytes.count
            expect(total <= max(size * 100, size), "what is unpacked has a bound")
            plantFault(on: bytes)
        case .endOfFile:
            expect(isInside, "a file ends once")
            isInside = false
        case .leftOut(_, let name): checkName(name)
        case .refused: isWhole = false
        case .end: isWhole = true
        }
    }

    private func checkName(_ name: [UInt8]) {
        let slash = UInt8(ascii: "/")
        expect(!name.isEmpty && name.first != slash && !name.contains(0), "no name is absolute")
        expect(
            !name.split(separator: slash).contains { $0.elementsEqual("..".utf8) },
            "no name leads upward")
    }
}
