import Encodings
import Foundation
import TestSupport
import Testing

@Suite struct ArchiveRefusalTests {
    private let making: ArchiveMaking

    init() throws { making = try ArchiveMaking() }

    private func refusal(_ archive: String) throws -> MemberRecord.Refusal? {
        try ReadArchive(archive, in: making).refusal
    }

    // MARK: - Kinds

    @Test(
        arguments: [
            ("ln -s data bare/x; zip -qyr x.zip bare", .link),
            ("ln -s data bare/x; tar -cf x.zip bare", .link),
            ("ln bare/data/a bare/x; tar -cf x.zip bare", .link),
            ("mkfifo bare/x; tar -cf x.zip bare", .special),
            ("ln -s data x; zip -qyr x.zip x bare", .link),
        ] as [(String, MemberRecord.Refusal)])
    func refusesWhatIsNeitherFileNorFolder(command: String, expected: MemberRecord.Refusal) throws {
        try making.run("sh", "-c", command)
        #expect(try refusal("x.zip") == expected)
    }

    @Test(arguments: ["CHRTYPE", "BLKTYPE", "FIFOTYPE", "SYMTYPE", "LNKTYPE"])
    func refusesEverySpecialKindOfTar(kind: String) throws {
        try making.python(
            """
            with tarfile.open('x.tar', 'w') as file:
                member = tarfile.TarInfo('bare/x')
                member.type, member.linkname = tarfile.\(kind), 'bare/y'
                file.addfile(member)
            """)
        let found = try ReadArchive("x.tar", in: making)
        #expect(found.refusal == (kind == "SYMTYPE" || kind == "LNKTYPE" ? .link : .special))
        #expect(found.name == Array("bare/x".utf8))
    }

    @Test(
        arguments: [("0o120777", .link), ("0o020666", .special), ("0o010666", .special)]
            as [(String, MemberRecord.Refusal)])
    func refusesEverySpecialKindOfZip(mode: String, expected: MemberRecord.Refusal) throws {
        try making.python(
            """
            with zipfile.ZipFile('x.zip', 'w') as file:
                member = zipfile.ZipInfo('bare/x')
                member.external_attr, member.create_system = \(mode) << 16, 3
                file.writestr(member, 'bare/y')
            """)
        #expect(try refusal("x.zip") == expected)
    }

    @Test func refusesWhatIsEncrypted() throws {
        try making.run("zip", "-qr", "-P", "secret", "x.zip", "bare")
        #expect(try refusal("x.zip") == .encrypted)
        try making.run(
            "bsdtar", "--format", "zip", "--options", "zip:encryption=aes256", "--passphrase",
            "secret", "-cf", "y.zip", "bare")
        #expect(try refusal("y.zip") == .encrypted)
    }

    // MARK: - Names

    private static let badNames = [
        "/bare/x", "../bare/x", "bare/../x", "bare/..", "..", "bare/x/../../y", "bare/a#b",
        "c:/bare/x", "C:/x", "#bare#x",
    ]

    @Test(arguments: badNames)
    func refusesABadNameInAZip(name: String) throws {
        let name = name.replacingOccurrences(of: "#", with: "\\\\")
        for system in [0, 3] {
            try making.python(
                """
                with zipfile.ZipFile('x.zip', 'w') as file:
                    file.writestr('bare/good', 'x')
                    member = zipfile.ZipInfo('\(name)')
                    member.create_system = \(system)
                    file.writestr(member, 'x')
                """)
            let found = try ReadArchive("x.zip", in: making)
            #expect(found.refusal == .badName)
            #expect(found.files.isEmpty)
        }
    }

    @Test(arguments: badNames)
    func refusesABadNameInATar(name: String) throws {
        let name = name.replacingOccurrences(of: "#", with: "\\\\")
        for kind in ["REGTYPE", "DIRTYPE"] {
            try making.python(
                """
                with tarfile.open('x.tar', 'w') as file:
                    member = tarfile.TarInfo('\(name)')
                    member.type = tarfile.\(kind)
                    file.addfile(member)
                """)
            #expect(try refusal("x.tar") == .badName)
        }
    }

    @Test func refusesANameWithNULInAZip() throws {
        try making.python(
            "with zipfile.ZipFile('x.zip', 'w') as file: file.writestr('bare/xZy', 'x')")
        try making.replace(Array("xZy".utf8), by: Array("x\0y".utf8), in: "x.zip")
        let found = try ReadArchive("x.zip", in: making)
        #expect(found.refusal == .badName)
        #expect(found.name == Array("bare/x\0y".utf8))
    }

    @Test func refusesABadSecondNameInAZip() throws {
        // The extra field with a name in UTF-8: version, CRC of the name before, name.
        try making.python(
            """
            import struct, zlib
            with zipfile.ZipFile('x.zip', 'w') as file:
                member = zipfile.ZipInfo('bare/x')
                name = b'\\x01' + struct.pack('<L', zlib.crc32(b'bare/x')) + b'bare/../../y'
                member.extra = struct.pack('<HH', 0x7075, len(name)) + name
                file.writestr(member, 'x')
            """)
        #expect(try refusal("x.zip") == .badName)
    }

    @Test func refusesTwoNamesOfOneMember() throws {
        try making.python(
            "with zipfile.ZipFile('x.zip', 'w') as file: file.writestr('bare/one', 'x')")
        var bytes = try making.bytes("x.zip")
        bytes.replaceSubrange(30..<38, with: Array("bare/two".utf8))
        try making.write("x.zip", bytes)
        #expect(try refusal("x.zip") == .damaged)
    }

    @Test func refusesANameThatIsTooLong() throws {
        try making.python(
            """
            with tarfile.open('x.tar', 'w') as file:
                file.addfile(tarfile.TarInfo('bare/' + 'x' * 65532))
            """)
        #expect(try refusal("x.tar") == .longName)
    }

    // MARK: - Bounds

    @Test func refusesAZipThatUnpacksToFarMore() throws {
        try making.write("bare/zeros", [UInt8](repeating: 0, count: 1_000_000))
        try making.run("zip", "-qr", "x.zip", "bare/zeros")
        #expect(try refusal("x.zip") == .expands)
    }

    @Test(arguments: ["J", "j", "z", "-zstd"])
    func refusesATarThatUnpacksToFarMore(filter: String) throws {
        try making.run(
            "sh", "-c", "truncate -s 50M bare/zeros; tar -\(filter) -cf x.tar bare/zeros")
        #expect(try refusal("x.tar") == .expands)
    }

    @Test func refusesATarOfPaddingThatUnpacksToFarMore() throws {
        try making.run(
            "sh", "-c", "{ tar -cf - bare; head -c 50000000 /dev/zero; } | gzip > x.tar.gz")
        #expect(try refusal("x.tar.gz") == .expands)
    }

    @Test func refusesAHoleThatIsFarMore() throws {
        try making.run("sh", "-c", "truncate -s 3G bare/a; tar -Scf x.tar bare/a")
        #expect(try refusal("x.tar") == .largeMember)
        try making.run("sh", "-c", "truncate -s 1G bare/a; tar -Scf x.tar bare/a")
        #expect(try refusal("x.tar") == .expands)
    }

    @Test func refusesWhatIsCompressedTwice() throws {
        try making.run("sh", "-c", "tar -cz bare | xz > x.tar")
        #expect(try refusal("x.tar") == .nested)
    }

    // MARK: - Damage

    @Test(arguments: [
        "zip -qr x.zip bare", "zip -q0r x.zip bare", "tar -cf x.zip bare", "tar -czf x.zip bare",
        "tar -cjf x.zip bare", "tar -cJf x.zip bare", "tar -cf - bare | zstd -q --check > x.zip",
    ])
    func refusesAnArchiveThatIsCutShort(command: String) throws {
        try making.run("sh", "-c", command)
        let bytes = try making.bytes("x.zip")
        // Where a tar ends is told by 1024 zeros, which are the least that it is rounded up by.
        let content = command.hasPrefix("tar -cf x.zip") ? 4096 : bytes.count
        for count in stride(from: 0, to: content, by: max(1, content / 40)) {
            try making.write("cut", Array(bytes.prefix(count)))
            #expect(try refusal("cut") != nil, "\(count) of \(bytes.count)")
        }
    }

    @Test(arguments: [
        "zip -q0r x.zip bare", "zip -qr x.zip bare", "tar -czf x.zip bare", "tar -cjf x.zip bare",
        "tar -cJf x.zip bare", "tar -cf - bare | zstd -q --check > x.zip",
    ])
    func neverGivesOtherBytesForAFileThanWereInIt(command: String) throws {
        try making.run("sh", "-c", command)
        var bytes = try making.bytes("x.zip")
        for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
            bytes[place] ^= 0x10
            try making.write("changed", bytes)
            bytes[place] ^= 0x10
            let found = try ReadArchive("changed", in: making)
            // Times and modes have no checksum in a zip, and are of no use here.
            #expect(
                found.refusal != nil || Set(found.files.values) == Set(ArchiveMaking.files.values),
                "at \(place)")
        }
    }

    @Test func refusesAFileThatIsNoArchive() throws {
        for bytes in [[], Array("some text\n".utf8), [UInt8](repeating: 1, count: 20_000)] {
            try making.write("x", bytes)
            #expect(try refusal("x") == .notAnArchive)
        }
        for format in ["7zip", "cpio", "ar", "mtree", "shar", "warc", "xar"] {
            try making.run("bsdtar", "--format", format, "-cf", "x", "bare/data/a")
            #expect(try refusal("x") == .notAnArchive, "\(format)")
        }
    }

    @Test func refusesWhatStandsBeforeOrBehindAZip() throws {
        try making.run("zip", "-qr", "x.zip", "bare")
        let bytes = try making.bytes("x.zip")
        for changed in [[1, 2, 3] + bytes, bytes + bytes, bytes + [1]] {
            try making.write("x", changed)
            #expect(try refusal("x") != nil)
        }
    }

    @Test func refusesWhatStandsBehindATar() throws {
        try making.run("tar", "-cf", "x.tar", "bare")
        let bytes = try making.bytes("x.tar")
        for rest in [[1], [UInt8](repeating: 1, count: 512), [UInt8](repeating: 65, count: 9999)] {
            try making.write("x.tar", bytes + rest)
            #expect(try refusal("x.tar") == .damaged)
        }
    }
}
