import Encodings
import Foundation

/// The files beside the tests.
package enum TestFiles {
    /// The folder `Tests`.
    package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().path

    package static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path)))
    }

    package static func json(_ path: String) throws -> Row {
        Row(try JSONReader.read(read(path)))
    }
}

/// The rows of `Tests/Vectors`, each file made by its `generate.py`.
package enum Vectors {
    package enum Failure: Error {
        /// A section grew or shrank: the test that names its length must look at what changed.
        case length(section: String, expected: Int, found: Int)
    }

    package static func document(_ file: String) throws -> Row {
        try TestFiles.json("Vectors/\(file).json")
    }

    /// All rows of a section, which must be `count`.
    package static func rows(
        _ file: String, _ section: StaticString, count: Int
    ) throws -> [Row] {
        try rows(of: document(file), section, count: count)
    }

    /// All rows of a list inside a document, which must be `count`.
    package static func rows(
        of document: Row, _ section: StaticString, count: Int
    ) throws -> [Row] {
        let rows = try document.rows(section)
        guard rows.count == count else {
            throw Failure.length(section: "\(section)", expected: count, found: rows.count)
        }
        return rows
    }
}

/// A vault that the Python sgit wrote, with what must be found in it.
package struct Fixture: Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// All folders of `Tests/Fixtures` that hold a `vault.json`.
    package static let all: [Fixture] = {
        let folder = TestFiles.folder + "/Fixtures"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { Fixture($0) }.filter {
            FileManager.default.fileExists(atPath: $0.folder + "/vault.json")
        }
    }()

    package var description: String { name }

    package var folder: String { TestFiles.folder + "/Fixtures/" + name }

    /// What must be found.
    package func vault() throws -> Row { try TestFiles.json("Fixtures/\(name)/vault.json") }
}

/// A folder that goes away with its last owner.
package final class TemporaryFolder {
    package let path: String

    package init() {
        path = NSTemporaryDirectory() + "sgit-tools-" + UUID().uuidString
        mkdir(path, 0o700)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and gives its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o600) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        chmod(file, mode)
        return file
    }

    /// A copy of a fixture's store, to be damaged.
    package func copy(_ fixture: Fixture) throws -> String {
        let copy = path + "/" + fixture.name
        try FileManager.default.copyItem(atPath: fixture.folder, toPath: copy)
        return copy
    }
}
