import FileSystem
import Glibc
import TestSupport
import Testing

@Suite struct PendingFileTests {
    private let place = TemporaryFolder()

    private func folder() throws -> Folder { try Folder(place.path) }

    private func mode(_ name: String) -> UInt32 {
        var status = stat()
        return lstat(place.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    /// A file with these bytes that has no name yet.
    private func pending(
        _ name: String, _ bytes: [UInt8], mode: UInt32 = 0o600
    ) throws -> PendingFile {
        let file = try PendingFile(name, in: folder(), mode: mode)
        try file.write(bytes)
        return file
    }

    // MARK: - Taking a name

    @Test func isNotThereBeforeItTakesItsName() throws {
        let file = try pending("file", [1, 2, 3])
        #expect(try !folder().contains("file"))
        try file.sync()
        #expect(try file.take())
        #expect(try folder().read("file", limit: 10) == [1, 2, 3])
        #expect(try folder().names() == ["file"])
    }

    @Test func holdsWhatWasWrittenPieceByPiece() throws {
        let file = try pending("file", [1])
        try file.write([])
        try file.write([2, 3])
        let last: [UInt8] = [4]
        try last.withUnsafeBytes { try file.write($0) }
        #expect(try file.take())
        #expect(try folder().read("file", limit: 10) == [1, 2, 3, 4])
    }

    @Test func leavesNothingOfAFileThatIsGivenUp() throws {
        do {
            let file = try pending("file", [1])
            try file.sync()
        }
        #expect(try folder().names().isEmpty)
    }

    @Test(arguments: ["file", "folder", "link"])
    func takesNoNameThatIsThere(kind: String) throws {
        let path = place.path + "/name"
        switch kind {
        case "file": try place.write("name", [9])
        case "folder": #expect(mkdir(path, 0o700) == 0)
        default: #expect(symlink("nowhere", path) == 0)
        }
        do {
            let file = try pending("name", [1])
            #expect(try !file.take())
        }
        #expect(try folder().names() == ["name"])
        if kind == "file" { #expect(try folder().read("name", limit: 10) == [9]) }
    }

    @Test func givesOneOfTwoTheName() throws {
        let (first, second) = (try pending("file", [1]), try pending("file", [2]))
        #expect(try second.take())
        #expect(try !first.take())
        #expect(try folder().read("file", limit: 10) == [2])
    }

    @Test(arguments: [0o600, 0o400, 0o700] as [UInt32])
    func givesANewFileItsPermissions(mode: UInt32) throws {
        #expect(try pending("taken", [1], mode: mode).take())
        try pending("replaced", [1], mode: mode).replace()
        #expect(self.mode("taken") == mode && self.mode("replaced") == mode)
    }

    // MARK: - With a temporary name

    @Test func takesTheNameOnceItIsReady() throws {
        let file = try pending("file", [1, 2, 3])
        try file.makeReady()
        try file.makeReady()
        #expect(try folder().names().filter { $0.hasSuffix(PendingFile.ending) }.count == 1)
        #expect(try !folder().contains("file"))
        #expect(try file.take())
        #expect(try folder().read("file", limit: 10) == [1, 2, 3])
        #expect(try folder().names() == ["file"])
    }

    @Test func takesNoNameThatIsThereOnceItIsReady() throws {
        try place.write("file", [9])
        do {
            let file = try pending("file", [1])
            try file.makeReady()
            #expect(try !file.take())
            #expect(try folder().names().count == 2)
        }
        #expect(try folder().names() == ["file"])
        #expect(try folder().read("file", limit: 10) == [9])
    }

    @Test func replacesAFileOnceItIsReady() throws {
        try place.write("file", [9], mode: 0o640)
        let file = try PendingFile("file", in: folder(), mode: 0o644)
        try file.write([1])
        try file.makeReady()
        try file.replace()
        #expect(try folder().read("file", limit: 10) == [1])
        #expect(mode("file") == 0o640)
        #expect(try folder().names() == ["file"])
    }

    @Test func keepsAFileOfItsOwnerAloneToTheOwner() throws {
        try place.write("file", [9], mode: 0o644)
        let file = try PendingFile("file", in: folder(), mode: 0o600)
        try file.replace()
        #expect(mode("file") == 0o600)
    }

    @Test func hasATemporaryNameThatLeftoversAreClearedBy() throws {
        let file = try pending("file", [1])
        try file.makeReady()
        try folder().removeLeftovers()
        #expect(try folder().names().isEmpty)
        #expect(throws: FileError.self) { try file.take() }
    }

    @Test func saysThatItsFolderIsGone() throws {
        let path = place.path + "/sub"
        #expect(mkdir(path, 0o700) == 0)
        let sub = try Folder(path)
        #expect(rmdir(path) == 0)
        #expect(throws: FileError.self) { try PendingFile("file", in: sub) }
    }

    // MARK: - Replacing

    @Test func replacesAFileWithItsOwnBytes() throws {
        try place.write("file", [9, 9, 9])
        let file = try pending("file", [1])
        #expect(try folder().read("file", limit: 10) == [9, 9, 9])
        try file.replace()
        #expect(try folder().read("file", limit: 10) == [1])
        #expect(try folder().names() == ["file"])
    }

    @Test func replacesWhereNothingIs() throws {
        try pending("file", [1]).replace()
        #expect(try folder().read("file", limit: 10) == [1])
        #expect(try folder().names() == ["file"])
    }

    @Test(arguments: [0o600, 0o644, 0o660, 0o755, 0o400] as [UInt32])
    func keepsThePermissionsOfTheFileItReplaces(mode: UInt32) throws {
        try place.write("file", [9], mode: mode)
        try pending("file", [1], mode: 0o640).replace()
        #expect(self.mode("file") == mode)
    }

    @Test func replacesNoFolder() throws {
        #expect(mkdir(place.path + "/name", 0o700) == 0)
        do {
            let file = try pending("name", [1])
            #expect(throws: FileError.notRegular(path: place.path + "/name")) {
                try file.replace()
            }
        }
        #expect(try folder().names() == ["name"])
        #expect(Folder.exists(place.path + "/name"))
    }

    @Test func replacesNoLinkAndWritesThroughNone() throws {
        try place.write("target", [9])
        #expect(symlink("target", place.path + "/name") == 0)
        do {
            let file = try pending("name", [1])
            #expect(throws: FileError.notRegular(path: place.path + "/name")) {
                try file.replace()
            }
        }
        #expect(try folder().read("target", limit: 10) == [9])
        #expect(try folder().names() == ["name", "target"])
    }

    @Test func leavesNothingWhereItsNameIsTooLong() throws {
        let name = String(repeating: "n", count: 256)
        do {
            let file = try pending(name, [1])
            #expect(throws: FileError.self) { try file.take() }
            #expect(throws: FileError.self) { try file.replace() }
        }
        #expect(try folder().names().isEmpty)
    }
}
