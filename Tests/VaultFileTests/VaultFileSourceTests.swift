import Cryptography
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultFile

/// A vault file as one of the places that a union draws from.
@Suite struct VaultFileSourceTests {
    private let vault: PackedVault
    private let key = "key-rnd-imm-0123456789abcdef"

    init() throws { vault = try PackedVault() }

    private func texts(_ source: VaultFileSource) -> [String] {
        source.names().map(\.text).sorted()
    }

    @Test func namesObjectsAndKeysAlone() throws {
        let plaintext = PublicKeys.encode(pem: P256.PrivateKey().publicKey.pem)
        let sealed = vault.cipher.seal(plaintext, nonce: anyNonce)
        try vault.write(sealed, to: "keys/" + key)
        // Neither lies where it belongs.
        try vault.write([UInt8](repeating: 7, count: 40), to: "data/" + key)
        try vault.write([1], to: "keys/other")
        let source = VaultFileSource(try vault.file())
        #expect(texts(source) == [key, vault.objects[0].text])
        let object = try source.bytes(of: .object(vault.objects[0]))
        #expect(ObjectID(naming: object, width: .hex32) == vault.objects[0])
        #expect(try source.bytes(of: .key(Array(key.utf8))) == sealed)
        #expect(source.name.hasSuffix(".sgvault"))
    }

    @Test func aDamagedMemberIsADamagedCopy() throws {
        var drawing = ZipDrawing(try vault.members())
        drawing.contents[1][0] ^= 1
        let file = try VaultFile(vault.place.stored(drawing.bytes))
        #expect {
            try VaultFileSource(file).bytes(of: .object(vault.objects[0]))
        } throws: { error in
            guard case StoreError.damaged(let subject, _) = error else { return false }
            return subject == vault.objects[0].text
        }
    }

    @Test func aUnionAddsWhatAFileHolds() throws {
        let source = VaultFileSource(try vault.file())
        let place = TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: place.path + "/bare/data", withIntermediateDirectories: true)
        let layout = try #require(StoreLayout(at: place.path))
        let union = try Union(of: [source], into: layout)
        try union.write(runtimeFolder: nil)
        #expect(union.additions.map(\.text) == [vault.objects[0].text])
        #expect(try place.names("bare/data") == [vault.objects[0].text])
    }

    @Test func whatIsNoKeyIsNotPackedAsOne() throws {
        try vault.write([UInt8](repeating: 7, count: 40), to: "keys/" + key)
        #expect(throws: StoreError.self) { try vault.file() }
        try vault.write([UInt8](repeating: 7, count: 1 << 20), to: "keys/" + key)
        #expect(throws: StoreError.self) { try vault.file() }
    }
}
