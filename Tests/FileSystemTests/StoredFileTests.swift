import FileSystem
import Foundation
import TestSupport
import Testing

/// A file that is read at places, and told from any other that stood there.
@Suite struct StoredFileTests {
    private let place = TemporaryFolder()

    @Test func readsAtAnyPlace() throws {
        let file = try StoredFile(place.write("file", Array(0..<100)))
        #expect(file.size == 100)
        #expect(try file.read(at: 10, count: 5) == [10, 11, 12, 13, 14])
        #expect(try file.read(at: 98, count: 5) == [98, 99])
        #expect(try file.read(at: 100, count: 5).isEmpty)
        #expect(try file.read(at: 1 << 40, count: 5).isEmpty)
    }

    @Test func aFileThatIsCutIsReadShort() throws {
        let path = try place.write("file", Array(0..<100))
        let file = try StoredFile(path)
        truncate(path, 50)
        #expect(try file.read(at: 40, count: 20).count == 10)
        #expect(file.size == 100)
    }

    @Test func opensFilesAlone() throws {
        mkdir(place.path + "/folder", 0o700)
        mkfifo(place.path + "/pipe", 0o600)
        for name in ["folder", "pipe"] {
            let path = place.path + "/" + name
            #expect(throws: FileError.notRegular(path: path)) { try StoredFile(path) }
        }
        #expect(throws: FileError.notFound(path: place.path + "/x")) {
            try StoredFile(place.path + "/x")
        }
    }

    @Test func followsLinksByPathAndNotInAFolder() throws {
        try place.write("file", [1])
        symlink("file", place.path + "/link")
        #expect(try StoredFile(place.path + "/link").size == 1)
        #expect(throws: FileError.notRegular(path: place.path + "/link")) {
            try StoredFile("link", in: Folder(place.path))
        }
    }

    @Test func tellsAnotherState() throws {
        let path = try place.write("file", [1, 2, 3])
        let before = try StoredFile(path).identity
        #expect(try StoredFile(path).identity.isSameContent(as: before))
        // Another name changes nothing.
        link(path, place.path + "/second")
        #expect(try StoredFile(path).identity.isSameContent(as: before))
        try place.write("file", [1, 2, 4])
        #expect(try !StoredFile(path).identity.isSameContent(as: before))
        unlink(path)
        try place.write("file", [1, 2, 3])
        #expect(try !StoredFile(path).identity.isSameContent(as: before))
    }
}
