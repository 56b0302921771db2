import FileSystem
import Glibc
import TestSupport
import Testing

@Suite struct FolderTests {
    private let place = TemporaryFolder()

    private func folder() throws -> Folder { try Folder(place.path) }

    @Test func readsTheBytesOfAFile() throws {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(100_000)
        try place.write("file", bytes)
        #expect(try folder().read("file", limit: 100_000) == bytes, "seed \(numbers.seed)")
    }

    @Test func readsAnEmptyFile() throws {
        try place.write("empty", [])
        #expect(try folder().read("empty", limit: 0).isEmpty)
    }

    @Test func refusesAFileOneBytePastTheLimit() throws {
        try place.write("file", [1, 2, 3])
        #expect(throws: FileError.tooLarge(path: place.path + "/file", size: 3, limit: 2)) {
            try folder().read("file", limit: 2)
        }
        #expect(try folder().read("file", limit: 3) == [1, 2, 3])
    }

    @Test func refusesAHugeSparseFileBeforeItTakesMemory() throws {
        let path = try place.write("sparse", [])
        #expect(truncate(path, 1 << 40) == 0)
        #expect(throws: FileError.tooLarge(path: path, size: 1 << 40, limit: 1000)) {
            try folder().read("sparse", limit: 1000)
        }
    }

    @Test func refusesAPipeWithoutWaitingForItsWriter() throws {
        #expect(mkfifo(place.path + "/pipe", 0o600) == 0)
        #expect(throws: FileError.notRegular(path: place.path + "/pipe")) {
            try folder().read("pipe", limit: 10)
        }
        #expect(throws: FileError.notRegular(path: place.path + "/pipe")) {
            try folder().size(of: "pipe")
        }
    }

    @Test func followsNoLinkToAFile() throws {
        try place.write("file", [1])
        #expect(symlink("file", place.path + "/link") == 0)
        #expect(throws: FileError.notRegular(path: place.path + "/link")) {
            try folder().read("link", limit: 10)
        }
        #expect(throws: FileError.notRegular(path: place.path + "/link")) {
            try folder().size(of: "link")
        }
    }

    @Test func refusesAFolderInPlaceOfAFile() throws {
        #expect(mkdir(place.path + "/sub", 0o700) == 0)
        #expect(throws: FileError.notRegular(path: place.path + "/sub")) {
            try folder().read("sub", limit: 10)
        }
    }

    @Test func saysThatAFileIsNotThere() throws {
        #expect(throws: FileError.notFound(path: place.path + "/absent")) {
            try folder().read("absent", limit: 10)
        }
        #expect(throws: FileError.notFound(path: place.path + "/absent")) {
            try folder().size(of: "absent")
        }
        #expect(try !folder().contains("absent"))
    }

    @Test func saysThatAFolderIsNotThere() throws {
        let path = place.path + "/absent"
        #expect(throws: FileError.notFound(path: path)) { try Folder(path) }
        #expect(!Folder.exists(path))
    }

    @Test func opensNoFileAsAFolder() throws {
        let path = try place.write("file", [1])
        let failure = FileError.system(operation: "open", path: path, code: ENOTDIR)
        #expect(throws: failure) { try Folder(path) }
        #expect(!Folder.exists(path))
        #expect(Folder.exists(place.path))
    }

    @Test func givesTheSizeOfAFile() throws {
        try place.write("file", [1, 2, 3])
        #expect(try folder().size(of: "file") == 3)
        #expect(try folder().contains("file"))
    }

    @Test func containsALinkThatLeadsNowhere() throws {
        #expect(symlink("nowhere", place.path + "/dangling") == 0)
        #expect(try folder().contains("dangling"))
    }

    @Test func listsNamesInOrderOfBytesWithHiddenOnes() throws {
        for name in ["b", "a", "B", "\u{E9}", "e\u{301}", ".hidden", "a b", "a-b"] {
            try place.write(name, [])
        }
        let expected = [".hidden", "B", "a", "a b", "a-b", "b", "e\u{301}", "\u{E9}"]
        let names = try folder().names()
        #expect(names.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test func leavesOutANameThatIsNoText() throws {
        let name = Array(place.path.utf8) + [0x2F, 0xFF, 0xFE, 0]
        let file = name.withUnsafeBytes { bytes in
            open(bytes.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
        }
        #expect(file >= 0)
        close(file)
        try place.write("file", [])
        #expect(try folder().names() == ["file"])
    }

    @Test func listsAgainWhatCameMeanwhile() throws {
        let folder = try folder()
        #expect(try folder.names().isEmpty)
        try place.write("file", [])
        #expect(try folder.names() == ["file"])
        #expect(try folder.names() == ["file"])
    }

    @Test(.enabled(if: geteuid() != 0, "root reads everything"))
    func passesOnThatAFileMayNotBeRead() throws {
        let path = try place.write("closed", [1], mode: 0)
        #expect(throws: FileError.system(operation: "open", path: path, code: EACCES)) {
            try folder().read("closed", limit: 10)
        }
    }

    @Test func leavesNoDescriptorOpen() throws {
        try place.write("file", [1])
        let before = try Self.descriptors(below: place.path)
        do {
            let folder = try folder()
            _ = try folder.read("file", limit: 1)
            _ = try folder.names()
            _ = try? folder.read("absent", limit: 1)
            _ = try? folder.read("file", limit: 0)
            #expect(try Self.descriptors(below: place.path) == before + 1)
        }
        #expect(try Self.descriptors(below: place.path) == before)
    }

    /// How many of this process's descriptors lead to the folder or below it; other tests open theirs meanwhile.
    private static func descriptors(below path: String) throws -> Int {
        try Folder("/proc/self/fd").names().count { name in
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlink("/proc/self/fd/" + name, &target, 4095)
            guard length > 0 else { return false }
            let text = target[..<length].map { UInt8(bitPattern: $0) }
            return text.starts(with: path.utf8)
        }
    }
}
