import Encodings
import ForeignArchives
import Foundation
import TestSupport

/// Archives that real programs make of files in a folder of their own, and what is read from them.
final class ArchiveMaking {
    enum Failure: Error {
        case program(String, Int32)
    }

    let place = TemporaryFolder()
    var path: String { place.path }

    init() throws {
        for folder in ["bare", "bare/data", "bare/refs"] { try makeFolder(folder) }
        try write("bare/data/a", Array("first".utf8))
        try write("bare/refs/b", [UInt8](0...255) + [UInt8](0...255))
    }

    /// The files that every archive of `bare` holds.
    static let files: [[UInt8]: [UInt8]] = [
        Array("bare/data/a".utf8): Array("first".utf8),
        Array("bare/refs/b".utf8): [UInt8](0...255) + [UInt8](0...255),
    ]

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { try place.write(name, bytes) }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    /// Runs a program in the folder; it must succeed.
    func run(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure.program(words.joined(separator: " "), process.terminationStatus)
        }
    }

    /// Runs a program in Python, which has `zipfile`, `tarfile` and `io` at hand.
    func python(_ program: String) throws {
        try run("python3", "-S", "-c", "import io, tarfile, zipfile\n" + program)
    }

    /// Changes bytes of a file, each time that they stand in it.
    func replace(_ old: [UInt8], by new: [UInt8], in name: String) throws {
        var bytes = try bytes(name)
        var place = 0
        while place + old.count <= bytes.count {
            if bytes[place..<place + old.count].elementsEqual(old) {
                bytes.replaceSubrange(place..<place + old.count, with: new)
            }
            place += 1
        }
        try write(name, bytes)
    }
}

/// What was read from an archive.
struct ReadArchive: Equatable {
    var files: [[UInt8]: [UInt8]] = [:]
    var leftOut: [[UInt8]: MemberRecord.LeftOut] = [:]
    /// How it was refused; nil where it is whole.
    var refusal: MemberRecord.Refusal?
    /// The member at fault.
    var name: [UInt8]?

    init(_ archive: String, in making: ArchiveMaking) throws {
        let file = open(making.path + "/" + archive, O_RDONLY)
        defer { close(file) }
        var current: [UInt8]?
        var ended = false
        let isWhole = try ForeignArchive(file, path: archive).read { record in
            precondition(!ended)
            switch record {
            case .file(let name):
                current = name
                files[name] = []
            case .data(let bytes): files[current ?? [], default: []] += bytes
            case .endOfFile: current = nil
            case .leftOut(let reason, let name): leftOut[name] = reason
            case .refused(let reason, let name):
                (refusal, self.name, ended) = (reason, name, true)
            case .end: ended = true
            }
        }
        precondition(ended && isWhole == (refusal == nil))
    }
}
