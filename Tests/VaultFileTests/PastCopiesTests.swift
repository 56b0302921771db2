import FileSystem
import Foundation
import TestSupport
import Testing
import VaultFile

/// What was replaced is kept, as long as it is worth it.
@Suite struct PastCopiesTests {
    private let file: ReplacedFile

    init() throws { file = try ReplacedFile() }

    @Test func keepsFivePastCopies() throws {
        for serial in 1...9 { try file.replace(serial, now: file.now + serial * 1000) }
        #expect(try file.copies().map { try file.serial(".versions/v/" + $0) } == [4, 5, 6, 7, 8])
    }

    @Test func keepsACopyThatIsNotCovered() throws {
        for serial in 1...9 {
            try file.replace(serial, now: file.now + serial * 1000, isCovered: false)
        }
        #expect(try file.copies().count == 8)
        try file.replace(10, now: file.now + 10_000)
        #expect(try file.copies().count == 5)
    }

    @Test func keepsACopyThatCannotBeJudged() throws {
        try file.replace(1)
        mkdir(file.place.path + "/.versions", 0o700)
        mkdir(file.place.path + "/.versions/v", 0o700)
        try file.place.write(".versions/v/0-old.sgvault", [1, 2, 3])
        for serial in 2...9 { try file.replace(serial, now: file.now + serial * 1000) }
        // It is none of the five: its name is not one that a copy gets.
        #expect(try file.copies().contains("0-old.sgvault"))
        #expect(try file.copies().count == 6)
    }

    @Test func theSameFileIsNotKeptTwice() throws {
        try file.replace(1)
        try file.replace(2, now: file.now + 1)
        // The file that was replaced comes back, as a sync client brings it: under another inode.
        let name = try #require(try file.copies().first)
        try file.place.write("v.sgvault", file.place.bytes(".versions/v/" + name))
        try file.replace(3, now: file.now + 2)
        #expect(try file.copies() == [name])
    }

    @Test func copiesOfOneMomentHaveNumbers() throws {
        for serial in 1...4 { try file.replace(serial) }
        #expect(try file.copies().count == 3)
        #expect(
            try Set(file.copies()) == [
                "20261130T120000.123Z-dev.sgvault", "20261130T120000.123Z-dev-2.sgvault",
                "20261130T120000.123Z-dev-3.sgvault",
            ])
    }

    @Test func theNewestOfOneMomentIsTheLastOne() throws {
        for serial in 1...3 { try file.replace(serial) }
        // Serial 2 is the newest copy; the same file again adds none.
        let newest = ".versions/v/20261130T120000.123Z-dev-2.sgvault"
        #expect(try file.serial(newest) == 2)
        try file.place.write("v.sgvault", file.place.bytes(newest))
        try file.replace(4)
        #expect(try file.copies().count == 2)
    }

    @Test func aFileWithoutTheEndingHasCopiesToo() throws {
        let other = file.place.path + "/vault"
        try file.replace(1, at: other)
        try file.replace(2, at: other)
        #expect(try file.copies("vault").count == 1)
    }
}
