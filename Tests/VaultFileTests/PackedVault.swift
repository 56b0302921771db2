import Cryptography
import Encodings
import FileSystem
import Foundation
import Locks
import Objects
import Store
import TestSupport
import VaultFile
import VaultKeys

/// A small store of a vault and the vault files that are made of it, as sgit-pack makes them.
final class PackedVault {
    let place = TemporaryFolder()
    let layout: StoreLayout
    let cipher: EnvelopeCipher
    /// In the order in which they were put there.
    private(set) var objects: [ObjectID] = []

    static let vaultID = Array("testvault01".utf8)
    static let readKeyBytes = Hex.decode(
        Array("41b8160bf44f7d1fa1f7fe5659afb94eb0cf32d1a4ec29444d792d70a77103fe".utf8))
    static var readKey: ReadKey { TestKeys.readKey(readKeyBytes ?? [], vault: "testvault01") }
    /// Its key is derived before any test shares it.
    nonisolated(unsafe) static let owner: OwnerKey = {
        let text = TestKeys.secret("golden example passphrase:testvault01")
        guard let key = try? KeyString.parseVaultKey(text) else { fatalError("no vault key") }
        let owner = OwnerKey(key, readKey)
        _ = owner.code(of: .none, vaultID: vaultID)
        return owner
    }()

    init() throws {
        for part in ["data", "refs", "indexes", "keys"] {
            try FileManager.default.createDirectory(
                atPath: place.path + "/bare/" + part, withIntermediateDirectories: true)
        }
        guard let layout = StoreLayout(at: place.path) else { fatalError("no store") }
        self.layout = layout
        cipher = EnvelopeCipher(PackedVault.readKey)
        try setHead(put("first"))
        try write(cipher.seal(Array("{}".utf8), nonce: anyNonce), to: "refs/" + emptyRef)
        try write(cipher.seal(Array("{}".utf8), nonce: anyNonce), to: "indexes/" + ids.branchIndex)
    }

    var ids: FileIDs { FileIDs(PackedVault.readKey) }
    let emptyRef = "ref-pid-snw-000000000000"

    func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: layout.bare + "/" + file))
    }

    @discardableResult
    func put(_ text: String) throws -> ObjectID {
        let bytes = cipher.sealDeterministically(Array(text.utf8))
        let id = ObjectID(naming: bytes, width: .hex32)
        try write(bytes, to: "data/" + id.text)
        objects.append(id)
        return id
    }

    /// Seals a commit as the head of the branch `current`.
    func setHead(_ id: ObjectID) throws {
        try write(cipher.seal(Refs.encode(id), nonce: anyNonce), to: "refs/" + ids.mainRef)
    }

    func packed() throws -> PackedStore { try PackedStore(BareStore(layout, cipher: cipher)) }

    func newHeader(serial: Int = 7, list: LockList = .none) -> NewHeader {
        NewHeader(
            vaultID: PackedVault.vaultID, serial: serial, writtenAt: 1_796_040_000_000,
            writtenBy: "example 1.0", lockList: list,
            locksCode: PackedVault.owner.code(of: list, vaultID: PackedVault.vaultID))
    }

    /// The whole file in memory.
    func bytes(_ header: NewHeader? = nil) throws -> [UInt8] {
        let store = try packed()
        var bytes: [UInt8] = []
        let sealed = try (header ?? newHeader()).seal(store, PackedVault.readKey)
        try store.write(header: sealed) { bytes += Array($0) }
        return bytes
    }

    func file(_ header: NewHeader? = nil) throws -> VaultFile {
        try VaultFile(place.stored(bytes(header), as: newName()))
    }

    private var names = 0

    private func newName() -> String {
        names += 1
        return "file-\(names).sgvault"
    }

    // MARK: - Files that no writer makes

    /// The members of a file of this vault, the header first.
    func members(_ header: NewHeader? = nil) throws -> [(name: String, bytes: [UInt8])] {
        let zip = try file(header).zip
        return try zip.entries.map { entry in
            (String(decoding: entry.name, as: UTF8.self), try zip.read(entry))
        }
    }

    /// A file with an edited header, whose code is made anew where `isSealed`, and edited members.
    func forged(
        _ header: NewHeader? = nil, isSealed: Bool = true,
        _ edit: (inout JSONValue) throws -> Void = { _ in },
        members change: (inout [(name: String, bytes: [UInt8])]) throws -> Void = { _ in }
    ) throws -> VaultFile {
        var members = try members(header)
        try change(&members)
        var document = try CanonicalJSON.read(members[0].bytes)
        try edit(&document)
        if isSealed { PackedVault.seal(&document) }
        members[0].bytes = CanonicalJSON.encode(document)
        return try VaultFile(place.stored(ZipDrawing(members).bytes, as: newName()))
    }

    /// Makes the code of a header anew, as whoever has the read key can.
    static func seal(_ document: inout JSONValue) {
        let rest = document.members.filter { $0.name != Array("mac".utf8) }
        let key = HKDF.derive(from: readKey.secret, info: "sgvault/v1/header-mac")
        let code = HMAC.authenticate(CanonicalJSON.encode(.object(rest)), key: key)
        document.set("mac", .string(Hex.encode(code)))
    }
}

/// Locks whose seal is of no interest.
enum DrawnLock {
    static func lock(
        _ id: Int, grants: String = "vault", kind: String = "secret", label: String = "",
        createdAt: String = "2026-11-30T12:00:00Z", sealed: String = "00",
        rehearsedAt: String? = nil
    ) -> Lock {
        var document = JSONValue.object([
            .init("created_at", .text(createdAt)), .init("grants", .text(grants)),
            .init("id", .string(name(id))), .init("kind", .text(kind)),
            .init("label", .text(label)),
            .init("params", .object([.init("salt", .text(String(repeating: "a0", count: 16)))])),
            .init("sealed", .text(sealed)),
        ])
        if let rehearsedAt { document.set("rehearsed_at", .text(rehearsedAt)) }
        return Lock(document)
    }

    /// The id of that number.
    static func name(_ id: Int) -> [UInt8] {
        let digits = String(id, radix: 16)
        return Array((String(repeating: "0", count: 16 - digits.utf8.count) + digits).utf8)
    }

    static func list(_ locks: [Lock], removed: [Int] = []) -> LockList {
        LockList(locks: locks, removed: removed.map { name($0) })
    }
}
