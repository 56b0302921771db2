import Cryptography
import Encodings

extension BlobFacts {
    /// The largest envelope that a client without a bulk route takes, in bytes.
    package static let largestSmallEnvelope = 4_194_304

    /// What an entry says of a plaintext.
    ///
    /// - Parameters:
    ///   - name: what the media type is guessed from.
    ///   - storedSize: the size of the envelope, in bytes.
    package init(of plaintext: ArraySlice<UInt8>, name: [UInt8], storedSize: Int) {
        self.init(
            size: plaintext.count, contentHash: BlobFacts.hash(of: plaintext),
            mediaType: MediaType.guess(name),
            isLarge: storedSize > BlobFacts.largestSmallEnvelope)
    }

    /// The `content_hash` of a plaintext: the first 12 hex digits of its SHA-256.
    package static func hash(of plaintext: ArraySlice<UInt8>) -> [UInt8] {
        Hex.encode(SHA256.digest(plaintext).bytes.prefix(6))
    }
}
