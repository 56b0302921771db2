import FileSystem
import Foundation
import TestSupport
import Testing
import VaultFile

/// A folder in which a vault file is replaced again and again, each time by one of another serial.
final class ReplacedFile {
    let vault: PackedVault
    let place = TemporaryFolder()
    /// 2026-11-30 12:00:00.123.
    let now = 1_796_040_000_123

    init() throws { vault = try PackedVault() }

    var path: String { place.path + "/v.sgvault" }

    func bytes(_ serial: Int) throws -> [UInt8] {
        try vault.bytes(vault.newHeader(serial: serial))
    }

    func open(_ path: String? = nil, now: Int? = nil) throws -> VaultFilePlace {
        try VaultFilePlace(
            path ?? self.path, device: "dev", now: now ?? self.now, runtimeFolder: nil)
    }

    /// Replaces the file by one of that serial.
    @discardableResult
    func replace(
        _ serial: Int, at path: String? = nil, now: Int? = nil, isCovered: Bool = true
    ) throws -> VaultFilePlace {
        let bytes = try bytes(serial)
        let place = try open(path, now: now)
        let isWritten = try place.replace(
            compose: { _ in { sink in try bytes.withUnsafeBytes { try sink($0) } } },
            verify: { try $0.verify(PackedVault.readKey, owner: nil) },
            isCovered: { _ in isCovered })
        #expect(isWritten)
        return place
    }

    func serial(_ name: String = "v.sgvault") throws -> Int {
        try VaultFile(place.path + "/" + name).header.serial
    }

    func copies(_ stem: String = "v") throws -> [String] {
        try place.names(".versions/" + stem)
    }

    func mode(_ name: String) -> Int {
        var status = stat()
        return lstat(place.path + "/" + name, &status) == 0 ? Int(status.st_mode & 0o7777) : -1
    }

    func inode(_ name: String) -> UInt {
        var status = stat()
        return lstat(place.path + "/" + name, &status) == 0 ? UInt(status.st_ino) : 0
    }

    /// Whether nothing but these files is left in the folder, beside past copies.
    func isClean(_ names: String...) throws -> Bool {
        try place.names().filter { $0 != ".versions" } == names.sorted()
    }
}
