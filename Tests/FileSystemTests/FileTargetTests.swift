import FileSystem
import Glibc
import TestSupport
import Testing

/// Where a file that is to be written has its name.
@Suite struct FileTargetTests {
    private let place = TemporaryFolder()

    /// The folder as the system calls it, be it under a link itself.
    private var root: String { Folder.canonical(place.path) ?? place.path }

    private func path(_ name: String) throws -> String {
        try FileTarget(place.path + "/" + name).path
    }

    @Test func aNewFileHasItsOwnName() throws {
        let target = try FileTarget(place.path + "/new")
        #expect(target.folder == root && target.name == "new")
    }

    @Test func dotsAndLinksOnTheWayAreFollowed() throws {
        mkdir(place.path + "/a", 0o700)
        symlink("a", place.path + "/b")
        #expect(try path("b/../b/./x") == root + "/a/x")
    }

    @Test func aLinkToAFileIsFollowed() throws {
        mkdir(place.path + "/a", 0o700)
        try place.write("a/file", [1])
        symlink("a/file", place.path + "/one")
        symlink("one", place.path + "/two")
        #expect(try path("two") == root + "/a/file")
    }

    @Test func aLinkThatLeadsNowhereIsRefused() throws {
        symlink("nowhere", place.path + "/one")
        symlink("loop", place.path + "/loop")
        for name in ["one", "loop"] {
            #expect(throws: FileError.self) { try path(name) }
        }
    }

    @Test func whatIsNoFileIsRefused() throws {
        mkdir(place.path + "/folder", 0o700)
        mkfifo(place.path + "/pipe", 0o600)
        symlink("folder", place.path + "/link")
        for name in ["folder", "pipe", "link"] {
            #expect(throws: FileError.notRegular(path: place.path + "/" + name)) { try path(name) }
        }
        for name in ["", ".", "..", "folder/", "folder/..", "new/"] {
            #expect(throws: FileError.self) { try path(name) }
        }
    }

    @Test func aFolderThatIsNotThereIsRefused() {
        #expect(throws: FileError.self) { try path("nowhere/x") }
    }

    @Test func theRootIsAFolderToo() throws {
        #expect(try FileTarget("/sgit-tools-no-such-file").path == "/sgit-tools-no-such-file")
    }

    @Test func aNameMayBeginWithAnAccent() throws {
        // A slash and the accent behind it are one character to those who count characters.
        let target = try FileTarget(place.path + "/\u{301}x")
        #expect(Array(target.name.utf8) == Array("\u{301}x".utf8))
        #expect(target.folder == root)
    }

    // MARK: - Second names

    @Test func aFileGetsASecondName() throws {
        try place.write("file", [1, 2])
        let folder = try Folder(place.path)
        let other = try folder.makeFolder("other")
        guard case .linked = try folder.link("file", into: other, as: "copy"),
            case .taken = try folder.link("file", into: other, as: "copy")
        else {
            Issue.record("no link was made")
            return
        }
        #expect(try other.read("copy", limit: 10) == [1, 2])
        #expect(throws: FileError.self) { try folder.link("absent", into: other, as: "x") }
    }
}
