import CommandInterface
import Testing
import Unlocking
import VaultFile

/// The words and the status of what can be wrong with a vault file.
@Suite struct VaultFileReportTests {
    private func check(
        _ error: VaultFileError, _ status: CommandInterface.ExitStatus, _ words: String,
        hint: String? = nil
    ) {
        let report = error.report
        #expect(report.status == status, "\(report.message)")
        #expect(report.message.contains(words), "\(report.message)")
        if let hint { #expect(report.hint?.contains(hint) == true, "\(report.hint ?? "-")") }
    }

    @Test func damageIsFour() {
        check(.damaged(path: "f", .notOurs), .damaged, "'f' is no vault file", hint: "--no-header")
        let damage: [ZipDamage] = [
            .end, .directory(member: 3), .name([0x2E]), .order(name: [0x78]), .tooManyMembers,
            .localHeader(name: [0x78]), .checksum(name: [0x78]), .cut,
        ]
        for damage in damage {
            check(.damaged(path: "f", damage), .damaged, "'f' is damaged: ", hint: "--salvage")
        }
        check(.badHeader(path: "f", .tooLarge), .damaged, "the header of 'f' is damaged")
        check(.badHeader(path: "f", .badMember("heads")), .damaged, "'heads'")
    }

    @Test func alterationsAreFour() {
        let alterations: [VaultFileError.Alteration] = [
            .header, .locks, .contents, .head(ref: "r"), .fingerprint, .serial, .lock(id: [0x30]),
        ]
        for alteration in alterations {
            check(
                .altered(path: "f", alteration), .damaged,
                "the header or contents of 'f' were altered: ")
        }
    }

    @Test func whatALaterVersionMadeIsEight() {
        check(.badHeader(path: "f", .version(2)), .notAllowed, "version 2")
        check(.requires(path: "f", feature: Array("x-new".utf8)), .notAllowed, "'x-new'")
    }

    @Test func anotherKeyIsThree() {
        check(.foreignKey(path: "f"), .wrongKey, "does not fit 'f'")
        #expect(OpeningError.opensNothing(path: "f", tried: 0).report.status == .wrongKey)
        #expect(OpeningError.opensNothing(path: "f", tried: 2).report.message.contains("2 locks"))
        let left = OpeningError.notAllTried(path: "f", left: 3).report
        #expect(left.status == .wrongKey && left.message.contains("3 more"))
        #expect(left.hint?.contains("--lock") == true)
        #expect(OpeningError.noLock(path: "f", id: [0x30]).report.status == .missing)
    }

    @Test func writingHasItsOwn() {
        #expect(ReplaceError.moved(path: "f").report.status == .moved)
        #expect(
            ReplaceError.inWorkingCopy(path: "f", copy: "c").report.status == .notAllowed)
        #expect(PackError.changed(path: "f").report.status == .moved)
        for error in [PackError.tooManyMembers, .headerTooLarge, .tooManyLocks] {
            #expect(error.report.status == .notAllowed)
        }
        #expect(NewBareFolderError.exists(path: "f").report.status == .failure)
    }

    @Test func noMessageEndsWithAFullStop() {
        let errors: [VaultFileError] = [
            .damaged(path: "f", .end), .altered(path: "f", .header), .foreignKey(path: "f"),
            .badHeader(path: "f", .version(2)), .requires(path: "f", feature: [0x78]),
        ]
        for error in errors { #expect(error.report.message.last != ".") }
    }

    @Test func whatAFileSaysIsQuoted() {
        // An escape sequence from a file does not reach the terminal.
        let report = VaultFileError.requires(path: "f", feature: [0x1B, 0x5B, 0x32, 0x4A]).report
        #expect(!report.message.utf8.contains(0x1B))
    }
}
