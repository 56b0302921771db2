import FileSystem
import Foundation
import TestSupport
import Testing
import VaultFile

/// A vault file is replaced by a verified one, or stays.
@Suite struct ReplaceVaultFileTests {
    private let file: ReplacedFile

    init() throws { file = try ReplacedFile() }

    private struct Refused: Error, Equatable {}

    // MARK: - Writing

    @Test func writesANewFile() throws {
        let target = try file.replace(1)
        #expect(try file.serial() == 1)
        #expect(file.mode("v.sgvault") == 0o600)
        #expect(!target.hasNoLinks)
        #expect(try file.place.names() == ["v.sgvault"])
    }

    @Test func keepsWhatItReplaces() throws {
        try file.replace(1)
        let first = file.inode("v.sgvault")
        try file.replace(2)
        #expect(try file.serial() == 2)
        #expect(try file.copies() == ["20261130T120000.123Z-dev.sgvault"])
        let copy = ".versions/v/20261130T120000.123Z-dev.sgvault"
        #expect(try file.serial(copy) == 1)
        #expect(file.inode(copy) == first)
        #expect(try file.isClean("v.sgvault"))
    }

    @Test func keepsTheMode() throws {
        try file.replace(1)
        chmod(file.path, 0o640)
        try file.replace(2)
        #expect(file.mode("v.sgvault") == 0o640)
    }

    @Test func givesTheExistingFileToWhoeverComposes() throws {
        var found: [Int?] = []
        let first = try file.open()
        #expect(
            try !first.replace(
                compose: { existing in
                    found.append(existing?.header.serial)
                    return nil
                }, verify: { _ in }, isCovered: { _ in true }))
        try file.place.write("v.sgvault", file.bytes(5))
        let before = file.inode("v.sgvault")
        #expect(
            try !first.replace(
                compose: { existing in
                    found.append(existing?.header.serial)
                    return nil
                }, verify: { _ in }, isCovered: { _ in true }))
        #expect(found == [nil, 5])
        // Nothing to say: not even a copy is made.
        #expect(try file.place.names() == ["v.sgvault"])
        #expect(file.inode("v.sgvault") == before)
    }

    // MARK: - Going wrong

    @Test func staysWhereComposingOrVerifyingFails() throws {
        try file.replace(1)
        let before = file.inode("v.sgvault")
        let bytes = try file.bytes(2)
        let target = try file.open()
        #expect(throws: Refused()) {
            try target.replace(
                compose: { _ in throw Refused() }, verify: { _ in }, isCovered: { _ in true })
        }
        #expect(throws: Refused()) {
            try target.replace(
                compose: { _ in { _ in throw Refused() } }, verify: { _ in },
                isCovered: { _ in true })
        }
        #expect(throws: Refused()) {
            try target.replace(
                compose: { _ in { sink in try bytes.withUnsafeBytes { try sink($0) } } },
                verify: { _ in throw Refused() }, isCovered: { _ in true })
        }
        // What was written is no vault file.
        #expect(throws: VaultFileError.self) {
            try target.replace(
                compose: { _ in { _ in } }, verify: { _ in }, isCovered: { _ in true })
        }
        #expect(file.inode("v.sgvault") == before)
        #expect(try file.place.names() == ["v.sgvault"])
    }

    @Test func aDamagedFileStays() throws {
        let text = "not a vault file, and long enough to be looked at"
        try file.place.write("v.sgvault", Array(text.utf8))
        let before = file.inode("v.sgvault")
        #expect(throws: VaultFileError.self) { try file.replace(2) }
        #expect(file.inode("v.sgvault") == before)
    }

    @Test func looksAgainAtAFileThatChanged() throws {
        try file.replace(1)
        let bytes = try file.bytes(9)
        let other = try file.bytes(5)
        var found: [Int] = []
        let target = try file.open()
        #expect(
            try target.replace(
                compose: { existing in
                    found.append(existing?.header.serial ?? 0)
                    return { sink in try bytes.withUnsafeBytes { try sink($0) } }
                },
                verify: { _ in if found.count == 1 { try file.place.write("v.sgvault", other) } },
                isCovered: { _ in true }))
        #expect(found == [1, 5])
        #expect(try file.serial() == 9)
        #expect(try file.copies().map { try file.serial(".versions/v/" + $0) }.contains(5))
    }

    @Test func aFileThatAppearsOrGoesIsAChangeToo() throws {
        let bytes = try file.bytes(9)
        var rounds = 0
        let target = try file.open()
        #expect(
            try target.replace(
                compose: { _ in
                    rounds += 1
                    return { sink in try bytes.withUnsafeBytes { try sink($0) } }
                },
                verify: { _ in
                    if rounds == 1 { try file.place.write("v.sgvault", bytes) }
                    if rounds == 2 { unlink(file.path) }
                }, isCovered: { _ in true }))
        #expect(rounds == 3)
        #expect(try file.serial() == 9)
    }

    @Test func givesUpWhereItChangesAgainAndAgain() throws {
        try file.replace(1)
        let bytes = try file.bytes(9)
        var serial = 10
        let target = try file.open()
        #expect {
            try target.replace(
                compose: { _ in { sink in try bytes.withUnsafeBytes { try sink($0) } } },
                verify: { _ in
                    serial += 1
                    try file.place.write("v.sgvault", file.bytes(serial))
                }, isCovered: { _ in true })
        } throws: { error in
            guard case ReplaceError.moved(let moved) = error else { return false }
            return moved == target.target.path
        }
        #expect(try file.serial() == 13)
        #expect(try file.isClean("v.sgvault"))
    }
}
