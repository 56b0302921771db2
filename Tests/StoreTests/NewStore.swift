import Cryptography
import Encodings
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

/// An empty store, of a key whose bytes are no secret.
final class NewStore {
    let place = TemporaryFolder()
    let layout: StoreLayout
    let cipher = TestKeys.cipher()

    init() throws {
        for part in ["data", "refs", "indexes", "keys"] {
            try FileManager.default.createDirectory(
                atPath: place.path + "/bare/" + part, withIntermediateDirectories: true)
        }
        layout = try #require(StoreLayout(at: place.path))
    }

    /// The store as another process would open it.
    func open() throws -> BareStore { try BareStore(layout, cipher: cipher) }

    func hold() throws -> StoreHold {
        try StoreHold(on: open(), random: .system, runtimeFolder: nil)
    }

    /// The names in a part of the store, in order.
    func names(_ part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: layout.bare + "/" + part).sorted()
    }

    /// A file as it is stored.
    func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: layout.bare + "/" + file)))
    }

    func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: layout.bare + "/" + file))
    }

    /// Seals a text as a ref, index or key is sealed.
    func seal(_ text: String, as file: String) throws {
        try write(cipher.seal(Array(text.utf8), nonce: anyNonce), to: file)
    }

    /// What such a file says.
    func text(_ file: String) throws -> String {
        String(decoding: try cipher.open(bytes(file), limit: 1 << 20), as: UTF8.self)
    }

    var indexFile: String {
        get throws { "indexes/" + (try open()).ids.branchIndex }
    }
}
