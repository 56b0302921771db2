package import Cryptography
import Encodings
import Objects

/// The public signing keys of a store.
///
/// - Source: docs/vault-format.md, "Public key object".
package final class PublicKeys {
    private let files: SealedFiles
    /// Keys already looked up: parsing one costs half a millisecond.
    private var known: [[UInt8]: P256.PublicKey?] = [:]

    /// The largest key object, in bytes of plaintext.
    package static let limit = 65_536

    init(_ layout: StoreLayout, cipher: EnvelopeCipher) {
        files = SealedFiles(folder: layout.keys, cipher: cipher)
    }

    /// The key of that id; nil where there is none, or where the object holds no P-256 key.
    package func key(_ keyID: [UInt8]) throws -> P256.PublicKey? {
        if let known = known[keyID] { return known }
        var found: P256.PublicKey?
        // An id outside the grammar cannot be a file's name.
        if DocumentRules.isKeyID(keyID) {
            let name = String(decoding: keyID, as: UTF8.self)
            if let plaintext = try files.read(name, limit: PublicKeys.limit, isDerived: false) {
                found = (try? PublicKeys.decode(plaintext)).flatMap { P256.PublicKey(pem: $0) }
            }
        }
        known[keyID] = .some(found)
        return found
    }

    /// The ids of all keys, in order; other files of the folder are passed over.
    package func ids() throws -> [[UInt8]] {
        try files.names().map { Array($0.utf8) }.filter(DocumentRules.isKeyID)
    }

    /// The id that a key is stored under, the first in order; nil where it is not stored.
    package func id(of key: P256.PublicKey) throws -> [UInt8]? {
        let wanted = PublicKeys.body(of: key.pem)
        return try ids().first { id in
            // Comparing texts: parsing each key would cost half a millisecond.
            let name = String(decoding: id, as: UTF8.self)
            guard let plaintext = try files.read(name, limit: PublicKeys.limit, isDerived: false),
                let pem = try? PublicKeys.decode(plaintext)
            else { return false }
            return PublicKeys.body(of: pem) == wanted
        }
    }

    /// The base64 of a PEM, without its lines.
    private static func body(of pem: [UInt8]) -> [UInt8] {
        Array(
            pem.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
                .filter { $0.first != UInt8(ascii: "-") }.joined())
    }

    /// Reads the plaintext of a key object and gives its PEM.
    /// - Throws: `JSONError`, `DocumentError`.
    package static func decode(_ plaintext: ArraySlice<UInt8>) throws -> [UInt8] {
        let document = try JSONReader.read(plaintext)
        guard case .string(let pem)? = document["pem"] else { throw DocumentError.badMember("pem") }
        switch document["type"] {
        case nil, .null: break
        case .string(let type) where type.isEqual(to: "public"): break
        default: throw DocumentError.badMember("type")
        }
        return pem
    }

    /// The exact text that sgit stores.
    package static func encode(pem: [UInt8]) -> [UInt8] {
        JSONWriter.write(
            .object([.init("type", .text("public")), .init("pem", .string(pem))]), .stored)
    }
}
