import Cryptography
import Devices
import Foundation
import Objects
import Store
import TestSupport
import Testing

@Suite struct NewVaultTests {
    private func vault(_ format: Int) -> NewVault {
        NewVault(
            format: format, deviceName: "desk", time: 1_800_000_000_000, random: .system,
            runtimeFolder: nil)
    }

    private func make(_ format: Int, at place: TemporaryFolder) throws {
        let vault = vault(format)
        try vault.make(at: place.path, readKey: vault.key.readKey(), keepsKey: true)
    }

    @Test(arguments: [1, 2])
    func isACopyOfThisDevice(format: Int) throws {
        let place = TemporaryFolder()
        try make(format, at: place)
        let layout = try #require(StoreLayout(at: place.path))
        let copy = try #require(try WorkingCopy.find(at: layout))
        #expect(copy.isSparse && !copy.hasRemote && !copy.isReadOnly)
        let keyFile = try #require(try copy.vaultKeyFile())
        let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func refusesAFolderThatHasOne() throws {
        let place = TemporaryFolder()
        try make(2, at: place)
        #expect(throws: DeviceError.self) { try make(2, at: place) }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(names == [".sg_vault"])
    }
}
