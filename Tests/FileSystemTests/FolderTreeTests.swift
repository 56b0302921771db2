import FileSystem
import Foundation
import TestSupport
import Testing

/// Folders below folders.
@Suite struct FolderTreeTests {
    private let place = TemporaryFolder()

    private func folder() throws -> Folder { try Folder(place.path) }

    @Test func listsWhatStandsThere() throws {
        try place.write("b", [])
        mkdir(place.path + "/a", 0o700)
        symlink("a", place.path + "/c")
        mkfifo(place.path + "/d", 0o600)
        let items = try folder().items()
        #expect(items.map { String(decoding: $0.name, as: UTF8.self) } == ["a", "b", "c", "d"])
        #expect(items.map(\.kind) == [.folder, .file, .other, .other])
    }

    @Test func opensNoLink() throws {
        mkdir(place.path + "/a", 0o700)
        symlink("a", place.path + "/link")
        try place.write("file", [])
        _ = try folder().folder("a")
        for name in ["link", "file"] {
            #expect(throws: FileError.notRegular(path: place.path + "/" + name)) {
                try folder().folder(name)
            }
            #expect(throws: FileError.self) { try folder().folderMade(name) }
        }
        #expect(throws: FileError.notFound(path: place.path + "/x")) { try folder().folder("x") }
    }

    @Test func makesAFolderOrOpensIt() throws {
        _ = try folder().folderMade("a").folderMade("b")
        _ = try folder().folderMade("a")
        #expect(Folder.exists(place.path + "/a/b"))
    }

    @Test func removesATreeAndFollowsNoLink() throws {
        try Folder.make(place.path + "/tree/a/b")
        try Folder.make(place.path + "/kept")
        try place.write("tree/a/file", [1])
        try place.write("kept/file", [1])
        symlink("../../kept", place.path + "/tree/a/link")
        try folder().removeTree("tree")
        #expect(try folder().names() == ["kept"])
        #expect(try folder().folder("kept").names() == ["file"])
    }

    @Test func makesAllFoldersOnTheWay() throws {
        try Folder.make(place.path + "/a/b/c")
        try Folder.make(place.path + "/a/b/c")
        try Folder.make(place.path + "/a/b/c/")
        #expect(Folder.exists(place.path + "/a/b/c"))
        try place.write("file", [])
        #expect(throws: FileError.self) { try Folder.make(place.path + "/file/x") }
    }
}
