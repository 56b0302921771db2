import Devices
import FileSystem
import Foundation
import Objects
import Store
import TestSupport
import Testing

@Suite struct CheckedOutFilesTests {
    private let vault: DeviceVault
    private let old = Array("old".utf8)
    private let new = Array("new".utf8)

    init() throws { vault = try DeviceVault() }

    private func files() throws -> CheckedOutFiles { try CheckedOutFiles(vault.copy()) }

    private func makeSparse() throws {
        let id = String(decoding: vault.device.id, as: UTF8.self)
        try vault.configure("{\"my_branch_id\": \"\(id)\", \"sparse\": true}")
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: vault.place.path + "/" + name, withIntermediateDirectories: true)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: vault.place.path + "/" + name, withDestinationPath: target)
    }

    private func text(_ name: String) throws -> String {
        String(
            decoding: try Data(
                contentsOf: URL(fileURLWithPath: vault.place.path + "/" + name)), as: UTF8.self)
    }

    private func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: vault.place.path + "/" + folder)
            .filter { $0 != ".sg_vault" }.sorted()
    }

    /// What is to be done with the file at a path that is `old` in the head.
    ///
    /// - Parameter isGoing: whether the path is removed; else it becomes `new`.
    private func step(_ path: String, isGoing: Bool = false) throws -> String {
        let names = try vaultPath(path)
        do {
            let step = try files().step(
                names, isOld: { $0 == old }, isNew: isGoing ? nil : { $0 == new })
            guard let step else { return "nothing" }
            guard step.path == names else { return "another path" }
            return step.deed == .write ? "write" : "remove"
        } catch DeviceError.changedFile(let shown) {
            return shown == path ? "changed" : "another path"
        }
    }

    /// Writes a file as a commit does, from the decision to the name.
    private func write(_ bytes: [UInt8], at path: String) throws {
        try carryOut(path, isNew: { $0 == bytes }, bytes)
    }

    private func remove(_ path: String) throws { try carryOut(path, isNew: nil, []) }

    private func carryOut(
        _ path: String, isNew: (([UInt8]) -> Bool)?, _ bytes: [UInt8],
        meanwhile: () throws -> Void = {}, atLast: () throws -> Void = {}
    ) throws {
        let files = try files()
        guard
            let step = try files.step(try vaultPath(path), isOld: { _ in true }, isNew: isNew)
        else { return }
        try meanwhile()
        let prepared = try files.prepare([step]) { _ in bytes }
        try atLast()
        if let failure = files.finish(prepared).first { throw failure.reason }
    }

    // MARK: - The table of cases

    @Test(arguments: ["f", "d/e/f"]) func decidesByWhatTheFileHolds(path: String) throws {
        if path.contains("/") { try makeFolder("d/e") }
        #expect(try step(path) == "write")
        #expect(try step(path, isGoing: true) == "nothing")
        try vault.place.write(path, old)
        #expect(try step(path) == "write")
        #expect(try step(path, isGoing: true) == "remove")
        try vault.place.write(path, new)
        #expect(try step(path) == "nothing")
        #expect(try step(path, isGoing: true) == "changed")
        try vault.place.write(path, Array("other".utf8))
        #expect(try step(path) == "changed")
        #expect(try step(path, isGoing: true) == "changed")
    }

    @Test func leavesAFileThatIsNotCheckedOutOfASparseCopy() throws {
        try makeSparse()
        try vault.writeLocal(
            "checkout.json", Array("{\"version\": 1, \"paths\": [\"d/here\", 7]}".utf8))
        for path in ["f", "d/e/f", "d", "here"] {
            #expect(try step(path) == "nothing", "\(path)")
            #expect(try step(path, isGoing: true) == "nothing", "\(path)")
        }
        #expect(try step("d/here") == "write")
        #expect(try step("d/here", isGoing: true) == "nothing")
        try vault.place.write("f", old)
        #expect(try step("f") == "write")
        #expect(try step("f", isGoing: true) == "remove")
    }

    @Test(arguments: [nil, "x", "[]", "{}", "{\"version\": 2, \"paths\": []}", "{\"version\": 1}"])
    func writesEveryFileOfASparseCopyThatNotesNoPaths(note: String?) throws {
        try makeSparse()
        if let note { try vault.writeLocal("checkout.json", Array(note.utf8)) }
        #expect(try step("f") == "write")
        #expect(try step("f", isGoing: true) == "nothing")
    }

    @Test func looksAtNoNoteInACopyThatIsNotSparse() throws {
        try vault.writeLocal("checkout.json", Array("{\"version\": 1, \"paths\": []}".utf8))
        #expect(try step("f") == "write")
    }

    @Test func writesAFileInFoldersThatAreNotThere() throws {
        #expect(try step("d/e/f") == "write")
        #expect(try step("d/e/f", isGoing: true) == "nothing")
    }

    @Test func callsWhatIsNoFileChanged() throws {
        try makeFolder("f")
        #expect(try step("f") == "changed")
        #expect(try step("f", isGoing: true) == "changed")
        // A file where a folder should be.
        try vault.place.write("d", old)
        #expect(try step("d/f") == "changed")
        #expect(mkfifo(vault.place.path + "/pipe", 0o600) == 0)
        #expect(try step("pipe") == "changed")
    }

    @Test(arguments: [".git/config", ".sg_vault/local/vault_key", "d/.GIT/x", ".sg_vault/x"])
    func touchesNothingThatThePathGuardKeepsOut(path: String) throws {
        #expect(try step(path) == "nothing")
        #expect(try step(path, isGoing: true) == "nothing")
    }

    @Test func passesOnThatTheOldBytesCannotBeRead() throws {
        struct Unreadable: Error {}
        try vault.place.write("f", old)
        #expect(throws: Unreadable.self) {
            try files().step(try vaultPath("f"), isOld: { _ in throw Unreadable() }, isNew: nil)
        }
    }

    // MARK: - Never through a link

    @Test func decidesNothingThroughALink() throws {
        let outside = TemporaryFolder()
        try outside.write("f", old)
        try link("d", to: outside.path)
        try link("f", to: outside.path + "/f")
        try link("dangling", to: "nowhere")
        for path in ["d/f", "f", "dangling", "d/absent", "d/e/f"] {
            #expect(try step(path) == "changed", "\(path)")
            #expect(try step(path, isGoing: true) == "changed", "\(path)")
        }
    }

    @Test func writesAndRemovesNothingThroughALink() throws {
        let outside = TemporaryFolder()
        try outside.write("f", old)
        try link("d", to: outside.path)
        try link("f", to: outside.path + "/f")
        for path in ["d/f", "d/n", "d/e/n", "f"] {
            #expect(throws: DeviceError.self, "\(path)") {
                try write(new, at: path)
            }
        }
        #expect(throws: DeviceError.self) { try remove("d/f") }
        #expect(try Folder(outside.path).names() == ["f"])
        #expect(try Folder(outside.path).read("f", limit: 10) == old)
        #expect(try names() == ["d", "f"])
    }

    // MARK: - Writing and removing

    @Test func writesAFileAndTheFoldersOnTheWay() throws {
        try write(new, at: "d/e/f")
        try write(old, at: "d/g")
        try write([], at: "h")
        #expect(try text("d/e/f") == "new" && text("d/g") == "old" && text("h") == "")
        try write(old, at: "d/e/f")
        #expect(try text("d/e/f") == "old")
        #expect(try names("d/e") == ["f"])
    }

    @Test func keepsThePermissionsOfAFileThatItWritesOver() throws {
        let path = try vault.place.write("f", old, mode: 0o750)
        try write(new, at: "f")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o750)
        #expect(try text("f") == "new")
    }

    @Test func removesTheFoldersThatItLeavesEmpty() throws {
        for path in ["a/b/c/f", "a/g", "h/i/f"] {
            try write(old, at: path)
        }
        try remove("a/b/c/f")
        #expect(try names("a") == ["g"])
        try remove("h/i/f")
        #expect(try names() == ["a"])
        try remove("a/g")
        #expect(try names().isEmpty)
        #expect(FileManager.default.fileExists(atPath: vault.place.path + "/.sg_vault"))
    }

    @Test func keepsAFolderWithAFileThatIsNoText() throws {
        try write(old, at: "d/f")
        let name = Array((vault.place.path + "/d/").utf8) + [0xFF, 0]
        name.withUnsafeBytes { path in
            let made = path.bindMemory(to: CChar.self).baseAddress.map { mkdir($0, 0o700) }
            #expect(made == 0)
        }
        try remove("d/f")
        #expect(try Folder(vault.place.path + "/d").items().map(\.name) == [[0xFF]])
    }

    @Test func removesAFileThatIsGone() throws {
        try remove("f")
        try makeFolder("d")
        try remove("d/f")
        #expect(try names() == ["d"])
    }

    // MARK: - What a person does meanwhile

    @Test(arguments: [true, false]) func leavesAFileThatChangesMeanwhile(isGoing: Bool) throws {
        for isLate in [false, true] {
            try vault.place.write("f", old)
            let edit: () throws -> Void = { try self.vault.place.write("f", Array("mine".utf8)) }
            #expect(throws: DeviceError.self) {
                try carryOut(
                    "f", isNew: isGoing ? nil : { $0 == new }, new,
                    meanwhile: isLate ? {} : edit, atLast: isLate ? edit : {})
            }
            #expect(try text("f") == "mine")
            #expect(try names() == ["f"])
        }
    }

    @Test func leavesAFileThatAppearsMeanwhile() throws {
        #expect(throws: DeviceError.self) {
            try carryOut(
                "f", isNew: { $0 == new }, new, atLast: { try vault.place.write("f", old) })
        }
        #expect(try text("f") == "old")
    }

    @Test func touchesNothingUnderANameThatIsAPath() throws {
        let outside = TemporaryFolder()
        let path = try outside.write("f", old)
        for names in [[path], ["d", path], [".", "f"], ["d/f"], ["d", "..", "f"]] {
            let path = names.compactMap { EntryName(Array($0.utf8)) }
            #expect(
                try files().step(path, isOld: { _ in true }, isNew: nil).map(\.path) == nil,
                "\(names)")
        }
    }

    @Test func writesAFileWithTheLongestName() throws {
        let name = String(repeating: "n", count: 255)
        try write(new, at: name)
        #expect(try text(name) == "new")
    }
}
