import FileSystem
import Glibc
import SecretMemory
import TestSupport
import Testing

@Suite struct SecretFileTests {
    private let place = TemporaryFolder()

    private func folder() throws -> Folder { try Folder(place.path) }

    private func secret(_ name: String, limit: Int = 10_000) throws -> [UInt8] {
        TestKeys.bytes(try folder().readSecret(name, limit: limit))
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 10_000])
    func readsWhatItWrites(count: Int) throws {
        var numbers = SeededNumbers()
        let bytes = numbers.bytes(count)
        try folder().replace("key", with: TestKeys.secret(bytes))
        #expect(try secret("key") == bytes, "seed \(numbers.seed)")
        #expect(try folder().read("key", limit: count) == bytes, "seed \(numbers.seed)")
        #expect(try folder().names() == ["key"])
    }

    @Test func writesAFileThatOnlyItsOwnerCanRead() throws {
        try folder().replace("key", with: TestKeys.secret("x"))
        var status = stat()
        #expect(lstat(place.path + "/key", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func replacesAnOldSecret() throws {
        try folder().replace("key", with: TestKeys.secret("longer"))
        try folder().replace("key", with: TestKeys.secret("x"))
        #expect(try secret("key") == [0x78])
    }

    @Test func refusesASecretPastItsLimit() throws {
        try place.write("key", [1, 2, 3])
        #expect(try secret("key", limit: 3) == [1, 2, 3])
        #expect(throws: FileError.tooLarge(path: place.path + "/key", size: 3, limit: 2)) {
            try secret("key", limit: 2)
        }
    }

    @Test func readsNoLinkNoFolderAndNoPipe() throws {
        try place.write("key", [1])
        #expect(symlink("key", place.path + "/link") == 0)
        #expect(mkdir(place.path + "/folder", 0o700) == 0)
        #expect(mkfifo(place.path + "/pipe", 0o600) == 0)
        for name in ["link", "folder", "pipe"] {
            #expect(throws: FileError.notRegular(path: place.path + "/" + name)) {
                try secret(name)
            }
        }
        #expect(throws: FileError.notFound(path: place.path + "/absent")) {
            try secret("absent")
        }
    }

    @Test func writesThroughNoLink() throws {
        try place.write("target", [9])
        #expect(symlink("target", place.path + "/key") == 0)
        #expect(throws: FileError.notRegular(path: place.path + "/key")) {
            try folder().replace("key", with: TestKeys.secret("x"))
        }
        #expect(try folder().read("target", limit: 10) == [9])
    }
}
