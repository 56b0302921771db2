import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

/// An object opened for showing.
struct ShownObject {
    let id: ObjectID
    let plaintext: ArraySlice<UInt8>
    private let decoded: DecodedObject
    private let vault: OpenStore

    /// Opens the object; a kind that is known from where it was found must hold, any other is guessed.
    init(_ found: OpenStore.Found, in vault: OpenStore) throws {
        id = found.id
        plaintext = try vault.objects.read(found.id)
        self.vault = vault
        decoded =
            if let kind = found.kind {
                try vault.objects.decode(plaintext, as: kind, found.id)
            } else {
                DecodedObject(guessing: plaintext, with: vault.bare.cipher)
            }
    }

    var kind: ObjectKind { decoded.kind }

    func writePretty(to output: Output) throws {
        switch decoded {
        case .blob: output.write(plaintext)
        case .commit(let commit):
            output.write(
                PrettyLayout.text(of: commit, message: try vault.objects.message(of: commit, id)))
        case .tag(let tag): output.write(PrettyLayout.text(of: tag))
        case .tree(let tree):
            for entry in tree.entries {
                output.write(
                    PrettyLayout.record(
                        entry.target, path: entry.name.bytes, details: true, names: .quoted))
                output.write(0x0A)
            }
        }
    }

    func json() throws -> JSONValue {
        let facts: [JSONValue.Member] =
            switch decoded {
            case .blob: [.init("content_base64", .string(Base64.encode(plaintext)))]
            case .commit(let commit):
                ObjectJSON.facts(of: commit, message: try vault.objects.message(of: commit, id))
            case .tag(let tag): ObjectJSON.facts(of: tag)
            case .tree(let tree):
                [
                    .init(
                        "entries",
                        .array(
                            tree.entries.map { ObjectJSON.entry($0.target, path: $0.name.bytes) }))
                ]
            }
        return .object(
            [
                .init("id", .string(id.bytes)), .init("kind", .text(kind.rawValue)),
                .init("size", .integer(plaintext.count)),
            ] + facts)
    }
}
