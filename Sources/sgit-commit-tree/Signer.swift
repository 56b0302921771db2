import CommandInterface
import Cryptography
import Plumbing
import Store

/// The key that signs, with what the store knows of it.
struct Signer {
    let key: P256.PrivateKey
    let keyID: [UInt8]
    /// The id of the first branch of that key; nil where the index lists none.
    let branch: [UInt8]?

    /// Nil where no key is to sign.
    ///
    /// - Throws: `SigningKeyError`, `SecretInputError`.
    init?(_ call: Invocation, _ bare: BareStore) throws {
        guard let path = call[signingKeyFile] else { return nil }
        let pem = try SecretInput.file(path).readDocument(
            acceptingReadableByOthers: store.key.acceptsReadableByOthers(call))
        guard let key = P256.PrivateKey(pem: pem) else { throw SigningKeyError.noKey(path: path) }
        guard let keyID = try bare.keys.id(of: key.publicKey) else {
            throw SigningKeyError.notStored(path: path)
        }
        self.key = key
        self.keyID = keyID
        branch = try bare.index()?.branches.first { $0.key == keyID }?.id
    }
}
