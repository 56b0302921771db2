package import Cryptography
import Encodings

/// What a signature on a commit or tag is worth.
package enum SignatureVerdict: String {
    case verified
    /// A key was found, and no form of the signed bytes verifies with it.
    case bad
    case unsigned
    /// There is a signature, and its key is not to be found or no key.
    case noKey = "no-key"
    /// The object is not there.
    case missing
}

/// The bytes that signatures cover.
///
/// - Source: docs/vault-format.md, "Signatures"; RFC 8785.
package enum SigningBytes {
    /// The members sorted by name, `signature` left out, no white space, UTF-8 as it is.
    package static func canonical(_ commit: Commit) -> [UInt8] { canonical(commit.members) }

    package static func canonical(_ tag: Tag) -> [UInt8] { canonical(tag.members) }

    /// The stored text with `signature` null: what was signed before commits named their key.
    package static func legacy(_ commit: Commit) -> [UInt8] {
        var unsigned = commit
        unsigned.signature = nil
        return unsigned.encode()
    }

    private static func canonical(_ members: [JSONValue.Member]) -> [UInt8] {
        let signed = members.filter { !$0.name.isEqual(to: "signature") }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        return JSONWriter.write(.object(signed), .compact)
    }
}

extension Commit {
    package var isSigned: Bool { !(signature ?? []).isEmpty }

    /// This commit with the id of its key and the signature that the key makes over its canonical form.
    package func signed(with key: P256.PrivateKey, id: [UInt8]) -> Commit {
        var commit = self
        commit.authorKey = id
        commit.signature = Base64.encode(key.sign(SigningBytes.canonical(commit)))
        return commit
    }

    /// The verdict on the signature with the key that belongs to it; nil where none was found.
    ///
    /// The legacy form counts only for a commit that does not name its key.
    package func verdict(with key: P256.PublicKey?) -> SignatureVerdict {
        guard isSigned, let signature else { return .unsigned }
        guard let key else { return .noKey }
        guard let raw = Base64.decode(signature) else { return .bad }
        if key.isValid(raw, of: SigningBytes.canonical(self)) { return .verified }
        if (authorKey ?? []).isEmpty, key.isValid(raw, of: SigningBytes.legacy(self)) {
            return .verified
        }
        return .bad
    }
}

extension Tag {
    /// The verdict on the signature with the tagger's key; nil where none was found.
    package func verdict(with key: P256.PublicKey?) -> SignatureVerdict {
        guard let signature, !signature.isEmpty else { return .unsigned }
        guard let key else { return .noKey }
        guard let raw = Base64.decode(signature) else { return .bad }
        return key.isValid(raw, of: SigningBytes.canonical(self)) ? .verified : .bad
    }
}
