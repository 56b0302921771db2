import Devices
import Foundation
import Store
import TestSupport
import Testing

@Suite struct WorkingCopyTests {
    private let vault: DeviceVault
    private static let branch = "branch-clone-0123456789abcdef"

    init() throws { vault = try DeviceVault() }

    /// What a copy with these settings is: its branch, then what holds of it.
    private func shown(_ configuration: String) throws -> String {
        try vault.configure(configuration)
        return try shown()
    }

    private func shown() throws -> String {
        do {
            let copy = try vault.copy()
            let words = [
                copy.branchID.map { String(decoding: $0, as: UTF8.self) } ?? "none",
                copy.isSparse ? "sparse" : "", copy.hasRemote ? "remote" : "",
                copy.isReadOnly ? "read-only" : "",
            ]
            return words.filter { !$0.isEmpty }.joined(separator: " ")
        } catch DeviceError.damagedConfiguration(let path) {
            #expect(path.hasSuffix("/config.json"))
            return "damaged"
        }
    }

    // MARK: - Finding

    @Test func findsTheCopyThatAStoreBelongsTo() throws {
        let copy = try vault.copy()
        #expect(copy.branchID == vault.device.id)
        let root = URL(fileURLWithPath: copy.root).resolvingSymlinksInPath().path
        let place = URL(fileURLWithPath: vault.place.path).resolvingSymlinksInPath().path
        #expect(root == place)
        #expect(FileManager.default.fileExists(atPath: copy.local + "/config.json"))
    }

    @Test func findsNoCopyOfABareStore() throws {
        try vault.remove(".sg_vault/local/config.json")
        #expect(try WorkingCopy.find(at: vault.layout) == nil)
        try vault.remove(".sg_vault/local")
        #expect(try WorkingCopy.find(at: vault.layout) == nil)
    }

    // MARK: - Settings

    @Test(arguments: [
        ("{\"my_branch_id\": \"\(branch)\"}", branch),
        ("{\"my_branch_id\": \" BRANCH-CLONE-0123456789ABCDEF\\n\"}", branch),
        ("{\"my_branch_id\": \"branch-named-01234567\"}", "branch-named-01234567"),
        ("{}", "none read-only"), ("{\"my_branch_id\": null}", "none read-only"),
        ("{\"my_branch_id\": \"\(branch)\", \"x\": [{}], \"mode\": null}", branch),
        ("{\"my_branch_id\": \"\(branch)\", \"mode\": \"read_only\"}", branch + " read-only"),
        ("{\"my_branch_id\": \"\(branch)\", \"mode\": \"other\"}", branch),
        ("{\"my_branch_id\": \"\(branch)\", \"sparse\": true}", branch + " sparse"),
        ("{\"my_branch_id\": \"\(branch)\", \"sparse\": false}", branch),
        ("{\"my_branch_id\": \"\(branch)\", \"sparse\": null}", branch),
        ("{\"my_branch_id\": \"\(branch)\", \"last_remote_head\": null}", branch),
        ("{\"my_branch_id\": \"\(branch)\", \"last_remote_head\": \"\"}", branch),
        (
            "{\"my_branch_id\": \"\(branch)\", \"last_remote_head\": \"obj-cas-imm-0123456789ab\"}",
            branch + " remote"
        ),
    ])
    func readsItsSettings(text: String, expected: String) throws {
        #expect(try shown(text) == expected)
    }

    @Test(arguments: [
        "", "x", "{", "[]", "null", "1", "\"x\"", "{} {}", "{\"my_branch_id\": 1}",
        "{\"my_branch_id\": \"\"}", "{\"my_branch_id\": \"x\"}",
        "{\"my_branch_id\": \"../branch-clone-0123456789abcdef\"}",
        "{\"my_branch_id\": \"branch-clone-0123456\"}", "{\"my_branch_id\": [\"\(branch)\"]}",
        "{\"sparse\": 1}", "{\"sparse\": \"true\"}", "{\"sparse\": []}",
    ])
    func refusesDamagedSettings(text: String) throws {
        #expect(try shown(text) == "damaged")
    }

    @Test func knowsThatItHasARemoteByTheHeadsItRemembers() throws {
        try vault.configure("{\"my_branch_id\": \"\(Self.branch)\"}")
        try vault.writeLocal("remote_heads.json", [])
        #expect(try shown() == Self.branch + " remote")
    }

    @Test func isReadOnlyWhereItIsMarkedSo() throws {
        try vault.configure("{\"my_branch_id\": \"\(Self.branch)\"}")
        try vault.writeLocal("clone_mode.json", [])
        #expect(try shown() == Self.branch + " read-only")
    }

    @Test func readsNoSettingsThroughALink() throws {
        try vault.place.write("elsewhere.json", Array("{}".utf8))
        try vault.remove(".sg_vault/local/config.json")
        try FileManager.default.createSymbolicLink(
            atPath: vault.place.path + "/.sg_vault/local/config.json",
            withDestinationPath: vault.place.path + "/elsewhere.json")
        #expect(throws: (any Error).self) { try vault.copy() }
    }

    @Test func knowsWhereTheVaultKeyIs() throws {
        #expect(try vault.copy().vaultKeyFile() == nil)
        try vault.writeLocal("vault_key", [1])
        let file = try #require(try vault.copy().vaultKeyFile())
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([1]))
    }
}
