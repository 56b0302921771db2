import FileSystem
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultFile

/// A store made of a file's members: whole, or not at all.
@Suite struct NewBareFolderTests {
    private let place = TemporaryFolder()

    private var target: String { place.path + "/out" }

    private func open() throws -> NewBareFolder {
        try NewBareFolder(in: target, runtimeFolder: nil)
    }

    private func name(_ text: String) throws -> MemberName {
        try #require(MemberName(Array(text.utf8)))
    }

    private func object(_ bytes: [UInt8]) throws -> MemberName {
        try name("bare/data/" + ObjectID(naming: bytes, width: .hex12).text)
    }

    @Test func appearsWholeWhenItIsFinished() throws {
        let folder = try open()
        try folder.add(object([1, 2]), [1, 2])
        try folder.add(name("bare/a/b/c/d"), [])
        #expect(try !place.names("out").contains("bare"))
        try folder.finish()
        #expect(try place.names("out") == ["bare"])
        #expect(try place.names("out/bare") == ["a", "data", "refs"])
        #expect(try place.bytes("out/bare/a/b/c/d").isEmpty)
        let layout = try #require(StoreLayout(at: target))
        #expect(layout.bare == target + "/bare")
        // Again, it is done.
        try folder.finish()
    }

    @Test func leavesNothingWhereItIsGivenUp() throws {
        do {
            let folder = try open()
            try folder.add(name("bare/a/b/c"), [1])
        }
        #expect(try place.names("out").isEmpty)
    }

    @Test func makesTheFoldersOnTheWay() throws {
        let deep = target + "/a/b"
        let folder = try NewBareFolder(in: deep, runtimeFolder: nil)
        try folder.finish()
        #expect(try place.names("out/a/b") == ["bare"])
    }

    @Test(arguments: ["folder", "file", "link"])
    func refusesAStoreThatIsThere(_ kind: String) throws {
        mkdir(target, 0o700)
        switch kind {
        case "folder": mkdir(target + "/bare", 0o700)
        case "file": try place.write("out/bare", [1])
        default: symlink("/nowhere", target + "/bare")
        }
        #expect {
            try open()
        } throws: { error in
            guard case NewBareFolderError.exists(let path) = error else { return false }
            return path == target + "/bare"
        }
        #expect(try place.names("out") == ["bare"])
    }

    @Test func refusesAStoreThatAppearsMeanwhile() throws {
        let folder = try open()
        mkdir(target + "/bare", 0o700)
        #expect(throws: NewBareFolderError.self) { try folder.finish() }
        #expect(try place.names("out/bare").isEmpty)
    }

    @Test func refusesAnObjectOfAnotherName() throws {
        let folder = try open()
        let name = try object([1, 2])
        #expect {
            try folder.add(name, [1, 3])
        } throws: { error in
            guard case NewBareFolderError.nameMismatch(name) = error else { return false }
            return true
        }
    }

    @Test func refusesANameThatStandsTwice() throws {
        let folder = try open()
        try folder.add(name("bare/a/b"), [1])
        try folder.add(name("bare/c/d/e"), [1])
        for text in ["bare/a/b", "bare/a/b/c", "bare/a/b/c/d", "bare/c/d"] {
            let again = try name(text)
            #expect {
                try folder.add(again, [2])
            } throws: { error in
                guard case NewBareFolderError.repeatedName(again) = error else { return false }
                return true
            }
        }
        try folder.finish()
        #expect(try place.bytes("out/bare/a/b") == [1])
    }

    @Test func removesWhatAKilledOneLeft() throws {
        try FileManager.default.createDirectory(
            atPath: target + "/.bare.0123abcd.sgtmp/data", withIntermediateDirectories: true)
        symlink("/etc", target + "/.bare.0123abcd.sgtmp/data/link")
        try place.write("out/.bare.0123abcd.sgtmp/data/x", [1])
        try open().finish()
        #expect(try place.names("out") == ["bare"])
        #expect(Folder.exists("/etc"))
    }
}
