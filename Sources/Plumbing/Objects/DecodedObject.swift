import Encodings

/// An object of a kind that was guessed.
///
/// Outside of its plaintext nothing says what an object is, so the guess looks at the `schema` member. It is only
/// for showing: a person's file may look like a commit.
package enum DecodedObject {
    case blob
    case tree(Tree)
    case commit(Commit)
    case tag(Tag)

    package var kind: ObjectKind {
        switch self {
        case .blob: .blob
        case .tree: .tree
        case .commit: .commit
        case .tag: .tag
        }
    }

    /// Guesses from the plaintext; what does not read as the document it names is a blob.
    package init(guessing plaintext: ArraySlice<UInt8>, with cipher: EnvelopeCipher) {
        self = .blob
        guard let kind = DecodedObject.declaredKind(plaintext),
            let decoded = try? DecodedObject(plaintext, as: kind, with: cipher)
        else { return }
        self = decoded
    }

    /// Reads the plaintext as the kind that it is known to be.
    package init(
        _ plaintext: ArraySlice<UInt8>, as kind: ObjectKind, with cipher: EnvelopeCipher
    ) throws {
        switch kind {
        case .blob: self = .blob
        case .tree: self = .tree(try Tree.decode(plaintext, with: cipher))
        case .commit: self = .commit(try Commit.decode(plaintext))
        case .tag: self = .tag(try Tag.decode(plaintext))
        }
    }

    /// The kind that the `schema` member names; nil where there is none.
    package static func declaredKind(_ plaintext: ArraySlice<UInt8>) -> ObjectKind? {
        guard plaintext.count <= ObjectLimit.tree,
            plaintext.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{")
        else { return nil }
        return plaintext.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            var name: [UInt8] = []
            var scratch: [UInt8] = []
            do {
                try scanner.beginObject()
                while try scanner.nextMember(&name) {
                    guard name.isEqual(to: "schema"), try scanner.peek() == UInt8(ascii: "\"")
                    else {
                        try scanner.skipValue(&scratch)
                        continue
                    }
                    try scanner.string(into: &name)
                    guard DocumentRules.isSchema(name) else { return nil }
                    let digits = name.reversed().prefix { $0.isDigit }.count
                    // The first one is enough to go on: the decoder reads the rest.
                    return ObjectKind(
                        rawValue: String(decoding: name.dropLast(digits + 2), as: UTF8.self))
                }
            } catch {
                return nil
            }
            return nil
        }
    }
}
