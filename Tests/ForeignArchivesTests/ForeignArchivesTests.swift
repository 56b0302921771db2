import Encodings
import FileSystem
import ForeignArchives
import Foundation
import TestSupport
import Testing

@Suite struct ForeignArchivesTests {
    private let making: ArchiveMaking

    init() throws { making = try ArchiveMaking() }

    private func read(_ archive: String) throws -> ReadArchive {
        try ReadArchive(archive, in: making)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: - What is read

    @Test(arguments: [
        "zip -qr x bare", "zip -q0r x bare", "zip -qrD x bare",
        "bsdtar --format zip -cf x.zip bare",
        "tar -cf x.zip bare", "tar -czf x.zip bare", "tar -cjf x.zip bare", "tar -cJf x.zip bare",
        "tar --zstd -cf x.zip bare", "tar --format=v7 -cf x.zip bare",
        "tar --format=ustar -cf x.zip bare", "tar --format=posix -cf x.zip bare",
        "tar --format=gnu -b 1 -cf x.zip bare", "bsdtar --format pax -cf x.zip bare",
        "bsdtar --format gnutar -czf x.zip bare", "tar -Scf x.zip bare",
        "python3 -m zipfile -c x.zip bare", "python3 -m tarfile -c x.zip bare",
    ])
    func readsWhatManyProgramsMake(command: String) throws {
        try making.run("sh", "-c", command)
        let found = try read("x.zip")
        #expect(found.refusal == nil)
        #expect(found.files == ArchiveMaking.files)
        #expect(found.leftOut.isEmpty)
    }

    @Test func readsAZipWithWideFields() throws {
        // Python takes the limits at which it writes them from these names.
        try making.python(
            """
            zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = 10, 2
            with zipfile.ZipFile('x.zip', 'w') as file:
                for name in 'abcd':
                    with file.open(zipfile.ZipInfo('bare/' + name), 'w', force_zip64=True) as member:
                        member.write(b'wide, ' * 9)
            """)
        let found = try read("x.zip")
        #expect(try making.bytes("x.zip").contains([0x50, 0x4B, 6, 6]))
        #expect(found.refusal == nil)
        #expect(found.files.count == 4)
        #expect(found.files[bytes("bare/d")]?.count == 54)
    }

    @Test func readsAStreamedZip() throws {
        try making.run("sh", "-c", "bsdtar --format zip -cf - bare | cat > x.zip")
        #expect(try read("x.zip").files == ArchiveMaking.files)
    }

    @Test func keepsTheBytesOfANameThatIsNotASCII() throws {
        let name = "bare/data/\u{E9}"
        try making.write(name, [1])
        for command in ["zip -qr x.zip bare", "tar -cf x.zip bare", "bsdtar -cf x.zip bare"] {
            try making.run("sh", "-c", "rm -f x.zip; LC_ALL=C.UTF-8 " + command)
            #expect(try read("x.zip").files[bytes(name)] == [1], "\(command)")
        }
    }

    @Test func keepsTheBytesOfANameThatIsNotUTF8() throws {
        try making.python(
            """
            with tarfile.open('x.tar', 'w', format=tarfile.GNU_FORMAT) as file:
                file.addfile(tarfile.TarInfo('bare/\\udcff\\udcfe'))
            """)
        #expect(try read("x.tar").files == [bytes("bare/") + [0xFF, 0xFE]: []])
    }

    @Test func readsALongName() throws {
        let name = "bare/" + String(repeating: "long/", count: 100) + "name"
        try making.makeFolder(String(name.dropLast(5)))
        try making.write(name, [1])
        for command in ["zip -qr x.zip bare", "tar -cf x.zip bare", "bsdtar -cf x.zip bare"] {
            try making.run("sh", "-c", "rm -f x.zip; " + command)
            #expect(try read("x.zip").files[bytes(name)] == [1], "\(command)")
        }
    }

    @Test func readsAFileWithHoles() throws {
        try making.run(
            "sh", "-c", "truncate -s 100000 bare/a; printf x >> bare/a; tar -Scf x.tar bare")
        let sparse = try read("x.tar")
        // 100 times the size of the archive is the bound, and 10 KiB of blocks are its size.
        #expect(sparse.refusal == nil)
        #expect(
            sparse.files[bytes("bare/a")] == [UInt8](repeating: 0, count: 100_000) + bytes("x"))
    }

    @Test func readsFromTheStartWhereverTheFileStands() throws {
        try making.run("tar", "-cf", "x.tar", "bare")
        let file = open(making.path + "/x.tar", O_RDONLY)
        defer { close(file) }
        lseek(file, 700, SEEK_SET)
        #expect(try ForeignArchive(file, path: "x").read { _ in })
    }

    @Test func readsTarsOneBehindTheOther() throws {
        try making.run("tar", "-cf", "x.tar", "bare/data")
        try making.run("sh", "-c", "tar -cf - bare/refs >> x.tar")
        #expect(try read("x.tar").files == ArchiveMaking.files)
    }

    // MARK: - What is left out

    @Test func leavesOutWhatLiesOutsideAndWhatFinderAdds() throws {
        try making.makeFolder("top/bare/data")
        try making.makeFolder("__MACOSX/top/bare")
        for name in [
            "top/VAULT-KEY", "top/bare/data/x", "top/bare/._x", "top/.DS_Store",
            "top/bare/.DS_Store",
            "__MACOSX/top/bare/x", "bare.txt",
        ] { try making.write(name, bytes(name)) }
        try making.run("zip", "-qr", "x.zip", "top", "__MACOSX", "bare.txt")
        let found = try read("x.zip")
        #expect(found.refusal == nil)
        #expect(found.files == [bytes("top/bare/data/x"): bytes("top/bare/data/x")])
        #expect(
            found.leftOut == [
                bytes("top/VAULT-KEY"): .outside, bytes("bare.txt"): .outside,
                bytes("top/bare/._x"): .finder, bytes("top/.DS_Store"): .finder,
                bytes("top/bare/.DS_Store"): .finder, bytes("__MACOSX/top/bare/x"): .finder,
            ])
    }

    @Test func findsNothingInAnArchiveOfFolders() throws {
        try making.makeFolder("empty/bare")
        try making.run("tar", "-cf", "x.tar", "empty")
        let found = try read("x.tar")
        #expect(found.refusal == nil)
        #expect(found.files.isEmpty && found.leftOut.isEmpty)
    }

    // MARK: - What is no file

    @Test func takesNothingButARegularFile() throws {
        for path in ["/dev/null", making.path] {
            let file = open(path, O_RDONLY)
            defer { close(file) }
            #expect(throws: FileError.notRegular(path: "x")) { try ForeignArchive(file, path: "x") }
        }
        #expect(throws: FileError.self) { try ForeignArchive(-1, path: "x") }
    }

    @Test func saysWhenTheSystemFails() throws {
        try making.run("tar", "-cf", "x.tar", "bare")
        let file = open(making.path + "/x.tar", O_WRONLY)
        defer { close(file) }
        let archive = try ForeignArchive(file, path: "x")
        #expect(throws: FileError.self) { try archive.read { _ in } }
    }

    @Test func passesOnWhatStopsTheReader() throws {
        try making.run("tar", "-cf", "x.tar", "bare")
        let file = open(making.path + "/x.tar", O_RDONLY)
        defer { close(file) }
        let archive = try ForeignArchive(file, path: "x")
        #expect(throws: CancellationError.self) {
            try archive.read { _ in throw CancellationError() }
        }
    }
}
