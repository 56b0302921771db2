import FileSystem
import Glibc
import TestSupport
import Testing

@Suite struct FolderChangesTests {
    private let place = TemporaryFolder()

    private func folder() throws -> Folder { try Folder(place.path) }

    private func makeFolder(_ name: String) { #expect(mkdir(place.path + "/" + name, 0o700) == 0) }

    private func link(_ name: String, to target: String) {
        #expect(symlink(target, place.path + "/" + name) == 0)
    }

    private func mode(_ name: String) -> UInt32 {
        var status = stat()
        return lstat(place.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    // MARK: - Making

    @Test func makesAFolderAndOpensTheOneThatIsThere() throws {
        let made = try folder().makeFolder("sub")
        #expect(made.path == place.path + "/sub")
        try made.replace("file", with: [1])
        let again = try folder().makeFolder("sub")
        #expect(try again.names() == ["file"])
    }

    @Test func makesNoFolderInPlaceOfAFile() throws {
        try place.write("sub", [1])
        #expect(throws: FileError.self) { try folder().makeFolder("sub") }
        #expect(try folder().read("sub", limit: 1) == [1])
    }

    @Test func makesTheFoldersOnTheWay() throws {
        let path = place.path + "/a/b/c"
        try Folder.make(path)
        try Folder.make(path)
        #expect(Folder.exists(path))
        try place.write("file", [1])
        #expect(throws: FileError.self) { try Folder.make(place.path + "/file") }
        #expect(throws: FileError.self) { try Folder.make(place.path + "/file/below") }
    }

    @Test func writesAFileWhole() throws {
        try folder().replace("file", with: [1, 2], mode: 0o600)
        #expect(mode("file") == 0o600)
        try folder().replace("file", with: [3], mode: 0o644)
        #expect(try folder().read("file", limit: 9) == [3])
        #expect(try folder().names() == ["file"])
        #expect(mode("file") == 0o600)
    }

    @Test func flushes() throws {
        try folder().sync()
        try folder().syncFileSystem()
    }

    // MARK: - Removing

    @Test func removesAFileAndWhatIsNotThere() throws {
        try place.write("file", [1])
        try folder().remove("file")
        try folder().remove("file")
        #expect(try folder().names().isEmpty)
        makeFolder("sub")
        #expect(throws: FileError.self) { try folder().remove("sub") }
    }

    @Test func removesALinkAndNotWhatItLeadsTo() throws {
        try place.write("file", [1])
        link("link", to: "file")
        try folder().remove("link")
        #expect(try folder().names() == ["file"])
    }

    @Test func clearsAwayWhatKilledWritersLeft() throws {
        let kept = [".sgtm", ".x", ".x.sgtmp.y", "x", "x.01234567.sgtmp"]
        for name in kept + [".x.01234567.sgtmp", ".ref-pid-muw-0123456789ab.89abcdef.sgtmp"] {
            try place.write(name, [1])
        }
        try folder().removeLeftovers()
        #expect(try folder().names() == kept)
    }

    @Test func removesOnlyAnEmptyFolder() throws {
        makeFolder("sub")
        try place.write("sub/file", [1])
        #expect(throws: FileError.self) { try folder().removeFolder("sub") }
        try folder().folder("sub").remove("file")
        try folder().removeFolder("sub")
        #expect(try folder().names().isEmpty)
    }

    @Test func removesATreeAndFollowsNoLinkInIt() throws {
        let outside = TemporaryFolder()
        try outside.write("kept", [1])
        for name in ["tree", "tree/a", "tree/a/b", "tree/empty"] { makeFolder(name) }
        for name in ["tree/file", "tree/a/.hidden", "tree/a/b/file"] {
            try place.write(name, [1])
        }
        link("tree/a/folder", to: outside.path)
        link("tree/file-link", to: outside.path + "/kept")
        link("tree/dangling", to: "nowhere")
        #expect(mkfifo(place.path + "/tree/pipe", 0o600) == 0)
        try place.write("beside", [1])
        try folder().removeTree("tree")
        #expect(try folder().names() == ["beside"])
        #expect(try Folder(outside.path).names() == ["kept"])
    }

    @Test func removesNoTreeBehindALink() throws {
        makeFolder("tree")
        try place.write("tree/file", [1])
        link("link", to: "tree")
        #expect(throws: FileError.notRegular(path: place.path + "/link")) {
            try folder().removeTree("link")
        }
        #expect(try folder().folder("tree").names() == ["file"])
    }

    // MARK: - Renaming

    @Test func renamesAFolder() throws {
        makeFolder("old")
        try place.write("old/file", [1])
        #expect(try folder().rename("old", to: "new"))
        #expect(try folder().names() == ["new"])
        #expect(try folder().folder("new").names() == ["file"])
    }

    @Test(arguments: ["file", "folder", "link"])
    func renamesOverNothing(kind: String) throws {
        makeFolder("old")
        switch kind {
        case "file": try place.write("new", [1])
        case "folder": makeFolder("new")
        default: link("new", to: "nowhere")
        }
        #expect(try !folder().rename("old", to: "new"))
        #expect(try folder().names() == ["new", "old"])
    }

    @Test func saysThatThereIsNothingToRename() {
        #expect(throws: FileError.notFound(path: place.path + "/old")) {
            try folder().rename("old", to: "new")
        }
    }

    // MARK: - Folders below

    @Test func opensNoLinkAndNoFileAsAFolderBelow() throws {
        makeFolder("sub")
        link("link", to: "sub")
        try place.write("file", [1])
        for name in ["link", "file"] {
            let refusal = FileError.notRegular(path: place.path + "/" + name)
            #expect(throws: refusal) { try folder().folder(name) }
            #expect(throws: refusal) { try folder().folderMade(name) }
        }
        #expect(throws: FileError.notFound(path: place.path + "/absent")) {
            try folder().folder("absent")
        }
        #expect(try folder().folder("sub").path == place.path + "/sub")
    }

    @Test func makesAFolderBelowOnce() throws {
        try folder().folderMade("sub", mode: 0o700).replace("file", with: [1])
        #expect(try folder().folderMade("sub", mode: 0o755).names() == ["file"])
        #expect(mode("sub") == 0o700)
    }

    // MARK: - Items

    @Test func listsItemsOfEveryKindByTheBytesOfTheirNames() throws {
        makeFolder("b")
        try place.write("a", [1])
        try place.write("\u{E9}", [1])
        try place.write(".hidden", [1])
        link("c", to: "b")
        link("d", to: "a")
        #expect(mkfifo(place.path + "/e", 0o600) == 0)
        let noText = Array(place.path.utf8) + [0x2F, 0xFF, 0x61, 0]
        noText.withUnsafeBytes { path in
            let made = path.bindMemory(to: CChar.self).baseAddress.map { mkdir($0, 0o700) }
            #expect(made == 0)
        }
        let items = try folder().items()
        let expected: [([UInt8], Folder.Kind)] = [
            (Array(".hidden".utf8), .file), ([0x61], .file), ([0x62], .folder), ([0x63], .other),
            ([0x64], .other), ([0x65], .other), ([0xC3, 0xA9], .file), ([0xFF, 0x61], .folder),
        ]
        #expect(items.map(\.name) == expected.map(\.0))
        #expect(items.map(\.kind) == expected.map(\.1))
    }

    @Test func listsAnEmptyFolder() throws {
        #expect(try folder().items().isEmpty)
    }
}
