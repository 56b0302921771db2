import Cryptography
import Encodings
package import VaultKeys

// Envelopes: what every file of a vault is on disk.
//
// Layout, in bytes:        nonce(12) ‖ ciphertext(n) ‖ tag(16)
// or, deflated:   00 73 67 7a 31 ‖ nonce(12) ‖ ciphertext(m) ‖ tag(16)     (zlib stream inside)
//
// AES-256-GCM under the read key, no associated data. docs/vault-format.md, "Envelopes"; RFC 5116.

/// Why an envelope was refused.
package enum EnvelopeError: Error, Equatable {
    /// Shorter than nonce and tag: 28 bytes.
    case truncated
    /// The tag fits under neither layout.
    case notAuthentic
    /// The tag fits, and what is inside is no zlib stream.
    case badDeflate
    /// The plaintext would pass the caller's bound, in bytes.
    case tooLarge(limit: Int)
    /// A field of a document that is no base64 of an envelope, or past 1,024 characters.
    case badField
}

/// The parts of an envelope that can be told without a key.
package struct EnvelopeLayout {
    /// 1, or 2 where the magic of a deflated envelope stands in front.
    package let version: Int
    package let nonce: Range<Int>
    package let ciphertext: Range<Int>
    package let tag: Range<Int>

    package static let magic: StaticString = "\0sgz1"
    package static let magicCount = 5
    /// Nonce and tag: what an envelope is longer than its plaintext.
    package static let overhead = AEAD.nonceCount + AEAD.tagCount
    /// The room that sealing in place needs before and after the plaintext, in bytes.
    package static let roomBefore = AEAD.nonceCount
    package static let roomAfter = AEAD.tagCount

    /// The plaintext with that room around it.
    package static func room(for plaintext: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: plaintext.count + overhead) { bytes, count in
            count = plaintext.count + overhead
            bytes.initialize(repeating: 0)
            _ = bytes[roomBefore...].update(fromContentsOf: plaintext)
        }
    }

    /// Nil below 28 bytes.
    ///
    /// A random nonce begins with the magic once in 2^40, so only opening it decides what such an envelope is.
    package init?(_ envelope: [UInt8]) {
        let hasMagic =
            envelope.count >= EnvelopeLayout.magicCount + EnvelopeLayout.overhead
            && envelope.prefix(EnvelopeLayout.magicCount).isEqual(to: EnvelopeLayout.magic)
        self.init(count: envelope.count, version: hasMagic ? 2 : 1)
    }

    fileprivate init?(count: Int, version: Int) {
        let start = version == 2 ? EnvelopeLayout.magicCount : 0
        guard count >= start + EnvelopeLayout.overhead else { return nil }
        self.version = version
        nonce = start..<start + AEAD.nonceCount
        ciphertext = nonce.upperBound..<count - AEAD.tagCount
        tag = ciphertext.upperBound..<count
    }
}

/// Opens and seals envelopes under one read key, with one cipher context for all of them.
package final class EnvelopeCipher {
    package let key: ReadKey
    /// Whether an envelope has opened: from then on the key is right, and what does not open is damaged.
    package private(set) var hasOpened = false
    private let aead: AEAD

    package init(_ key: ReadKey) {
        self.key = key
        aead = AEAD(key: key.secret)
    }

    /// Opens an envelope and returns its plaintext, in the envelope's own memory where that is possible.
    ///
    /// No plaintext is returned before the tag verifies.
    /// - Parameter limit: the largest plaintext accepted, in bytes; a deflated one past it is refused before its
    ///   memory is taken.
    package func open(
        _ envelope: consuming [UInt8], limit: Int
    ) throws(EnvelopeError) -> ArraySlice<UInt8> {
        var bytes = envelope
        guard let layout = EnvelopeLayout(bytes) else { throw .truncated }
        if layout.version == 2 {
            if transform(&bytes, layout) {
                hasOpened = true
                return try inflate(bytes[layout.ciphertext], limit: limit)
            }
            // A stream cipher: a second pass brings the ciphertext back for the other layout.
            _ = transform(&bytes, layout)
        }
        guard let plain = EnvelopeLayout(count: bytes.count, version: 1) else { throw .truncated }
        guard plain.ciphertext.count <= limit else { throw .tooLarge(limit: limit) }
        guard transform(&bytes, plain) else { throw .notAuthentic }
        hasOpened = true
        return bytes[plain.ciphertext]
    }

    /// Opens the base64 text of a document's `*_enc` member into `plaintext`, whose capacity is kept.
    ///
    /// - Source: docs/vault-format.md, "Envelopes": at most 1,024 characters, never deflated.
    package func openField(_ text: [UInt8], into plaintext: inout [UInt8]) throws(EnvelopeError) {
        guard text.count <= EnvelopeCipher.largestField, Base64.decode(text, into: &plaintext)
        else {
            throw .badField
        }
        guard let layout = EnvelopeLayout(count: plaintext.count, version: 1) else {
            throw .truncated
        }
        guard transform(&plaintext, layout) else { throw .notAuthentic }
        plaintext.removeLast(AEAD.tagCount)
        plaintext.removeFirst(AEAD.nonceCount)
    }

    /// The largest `*_enc` member, in characters of base64: 740 bytes of text.
    package static let largestField = 1024

    /// Seals plaintext as `nonce ‖ ciphertext ‖ tag`.
    ///
    /// - Parameter nonce: 12 bytes, never used with this key for another plaintext.
    package func seal(_ plaintext: [UInt8], nonce: [UInt8]) -> [UInt8] {
        seal(inRoom: EnvelopeLayout.room(for: plaintext), nonce: nonce)
    }

    /// Seals plaintext where it lies, in memory that has room for nonce and tag around it: see `EnvelopeLayout.room`.
    package func seal(inRoom bytes: consuming [UInt8], nonce: [UInt8]) -> [UInt8] {
        var envelope = bytes
        let end = envelope.count - AEAD.tagCount
        envelope.withUnsafeMutableBytes { bytes in
            bytes.copyBytes(from: nonce)
            aead.seal(
                UnsafeMutableRawBufferPointer(rebasing: bytes[AEAD.nonceCount..<end]),
                nonce: UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(bytes)[..<AEAD.nonceCount]),
                tag: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
        }
        return envelope
    }

    /// Seals trees and their fields: equal plaintext gives equal bytes, so an unchanged folder keeps its id.
    package func sealDeterministically(_ plaintext: [UInt8]) -> [UInt8] {
        let code = HMAC.authenticate(plaintext, key: key.secret)
        return seal(plaintext, nonce: Array(code.prefix(AEAD.nonceCount)))
    }

    /// The base64 of a deterministic envelope, for a tree's `*_enc` members.
    package func sealField(_ text: [UInt8]) -> [UInt8] {
        Base64.encode(sealDeterministically(text))
    }

    /// The base64 of an envelope with a random nonce, for a commit's `message_enc`.
    package func sealField(_ text: [UInt8], nonce: [UInt8]) -> [UInt8] {
        Base64.encode(seal(text, nonce: nonce))
    }

    /// The largest text of a field, in bytes of UTF-8.
    package static let largestFieldText = 740

    /// Seals a blob where it lies; deflated only where that makes the envelope shorter.
    ///
    /// - Parameters:
    ///   - bytes: the plaintext with room around it.
    ///   - deflating: whether the vault has the feature `blob-deflate`.
    package func sealBlob(
        inRoom bytes: consuming [UInt8], nonce: [UInt8], deflating: Bool
    ) -> [UInt8] {
        let count = bytes.count - EnvelopeLayout.overhead
        if deflating {
            let deflated = Deflate.deflate(
                Array(bytes[AEAD.nonceCount..<AEAD.nonceCount + count]))
            if deflated.count + EnvelopeLayout.magicCount < count {
                return Array("\0sgz1".utf8) + seal(deflated, nonce: nonce)
            }
        }
        return seal(inRoom: bytes, nonce: nonce)
    }

    // MARK: -

    /// Runs the cipher over the ciphertext in place; true where the tag fits.
    private func transform(_ bytes: inout [UInt8], _ layout: EnvelopeLayout) -> Bool {
        bytes.withUnsafeMutableBytes { bytes in
            let fixed = UnsafeRawBufferPointer(bytes)
            return aead.open(
                UnsafeMutableRawBufferPointer(rebasing: bytes[layout.ciphertext]),
                nonce: UnsafeRawBufferPointer(rebasing: fixed[layout.nonce]),
                tag: UnsafeRawBufferPointer(rebasing: fixed[layout.tag]))
        }
    }

    private func inflate(_ stream: ArraySlice<UInt8>, limit: Int) throws(EnvelopeError)
        -> ArraySlice<UInt8>
    {
        do throws(DeflateError) {
            return try Deflate.inflate(stream, limit: limit)[...]
        } catch {
            switch error {
            case .malformed: throw .badDeflate
            case .pastLimit(let limit): throw .tooLarge(limit: limit)
            }
        }
    }
}
