package import SecretMemory

/// Why a text is no passphrase.
package enum PassphraseError: Error, Equatable {
    /// A line ends somewhere other than at the end.
    case severalLines
    case text(ComposedTextError)
    case empty
    case tooLong
}

/// A passphrase as a person types it or keeps it in a file.
///
/// - Source: docs/vault-file.md, "Locks".
package enum Passphrase {
    /// In bytes, composed.
    package static let longest = 1024

    /// What the key derivation takes: one line without its end, in NFC, with white space kept.
    package static func read(_ content: SecretBytes) throws(PassphraseError) -> SecretBytes {
        let line = content.withoutLineEnd
        guard !line.withBytes({ $0.contains { $0 == 0x0A || $0 == 0x0D } }) else {
            throw .severalLines
        }
        let composed: SecretBytes
        do throws(ComposedTextError) {
            composed = try ComposedText.compose(line)
        } catch {
            throw .text(error)
        }
        guard composed.count > 0 else { throw .empty }
        guard composed.count <= longest else { throw .tooLong }
        return composed
    }
}

extension SecretBytes {
    /// The bytes without one LF or CRLF at their end.
    var withoutLineEnd: SecretBytes {
        let end = withBytes { bytes in
            guard bytes.last == 0x0A else { return bytes.count }
            return bytes.dropLast().last == 0x0D ? bytes.count - 2 : bytes.count - 1
        }
        return copy(0..<end)
    }
}
