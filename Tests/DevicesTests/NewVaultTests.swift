import Cryptography
import Devices
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

@Suite struct NewVaultTests {
    private func vault(_ format: Int) -> NewVault {
        NewVault(
            format: format, deviceName: "desk", time: 1_800_000_000_000, random: .system,
            runtimeFolder: nil)
    }

    @Test(arguments: [1, 2])
    func isACopyOfThisDevice(format: Int) throws {
        let place = TemporaryFolder()
        try vault(format).make(at: place.path)
        let layout = try #require(StoreLayout(at: place.path))
        let copy = try #require(try WorkingCopy.find(at: layout))
        #expect(copy.isSparse && !copy.hasRemote && !copy.isReadOnly)
        let keyFile = try #require(try copy.vaultKeyFile())
        let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func refusesAFolderThatHasOne() throws {
        let place = TemporaryFolder()
        try vault(2).make(at: place.path)
        #expect(throws: DeviceError.self) { try vault(2).make(at: place.path) }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(names == [".sg_vault"])
    }
}

extension NewVault {
    /// Makes it with its key kept, and returns its id.
    @discardableResult
    func make(at path: String) throws -> String {
        try make(at: path, readKey: key.readKey(), keepsKey: true)
        return key.vaultID.text
    }
}
