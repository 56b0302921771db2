import FileSystem
import Foundation
import TestSupport
import Testing
import VaultFile

/// Where a vault file may be written, and what is left in its folder.
@Suite struct VaultFilePlaceTests {
    private let file: ReplacedFile

    init() throws { file = try ReplacedFile() }

    @Test func followsALink() throws {
        mkdir(file.place.path + "/real", 0o700)
        try file.replace(1, at: file.place.path + "/real/v.sgvault")
        symlink("real/v.sgvault", file.place.path + "/link.sgvault")
        let target = try file.replace(2, at: file.place.path + "/link.sgvault")
        #expect(target.target.path.hasSuffix("/real/v.sgvault"))
        #expect(try file.serial("real/v.sgvault") == 2)
        #expect(file.mode("link.sgvault") == 0o777)
        #expect(try file.place.names("real/.versions/v").count == 1)
        #expect(try file.place.names() == ["link.sgvault", "real"])
    }

    @Test(arguments: ["nowhere", "loop"]) func followsNoLinkThatLeadsNowhere(_ to: String) throws {
        symlink(to, file.place.path + "/loop")
        #expect(throws: FileError.self) { try file.open(file.place.path + "/loop") }
    }

    @Test(arguments: ["", "/inner", "/inner/deep"])
    func refusesAFolderInAWorkingCopy(_ below: String) throws {
        let copy = file.place.path + "/copy"
        try FileManager.default.createDirectory(
            atPath: copy + "/.sg_vault", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: copy + below, withIntermediateDirectories: true)
        #expect {
            try file.open(copy + below + "/v.sgvault")
        } throws: { error in
            guard case ReplaceError.inWorkingCopy(_, let found) = error else { return false }
            return found.hasSuffix("/copy")
        }
        // Through a link from outside too.
        symlink(copy + below, file.place.path + "/outside")
        #expect(throws: ReplaceError.self) { try file.open(file.place.path + "/outside/v.sgvault") }
    }

    @Test func removesWhatAKilledWriterLeft() throws {
        try file.place.write(".v.sgvault.0123abcd.sgtmp", [1])
        try file.place.write(".other.sgvault.0123abcd.sgtmp", [1])
        try file.replace(1)
        #expect(try file.isClean(".other.sgvault.0123abcd.sgtmp", "v.sgvault"))
    }
}
