import Encodings
import TestSupport
import VaultFile
import VaultKeys

/// Vector D: the whole file, its keys and its parts.
struct VectorFile {
    let vectors: Row
    let file: Row

    init() throws {
        vectors = try Vectors.document("vault-file")
        file = try vectors.row("file")
    }

    var header: [UInt8] { get throws { try file.bytes("header") } }

    var zip: [UInt8] {
        get throws {
            guard let bytes = Base64.decode(try file.bytes("zip_base64")) else {
                throw Row.Failure.unexpected(name: "zip_base64", nil)
            }
            return bytes
        }
    }

    /// The files of the store, in order.
    var members: [(name: String, bytes: [UInt8])] {
        get throws {
            try file.row("members").value.members.map { member in
                guard case .string(let text) = member.value else {
                    throw Row.Failure.unexpected(name: "members", member.value)
                }
                return (String(decoding: member.name, as: UTF8.self), text)
            }
        }
    }

    var drawing: ZipDrawing {
        get throws { ZipDrawing([("sgvault.json", try header)] + (try members)) }
    }

    var readKey: ReadKey {
        get throws { TestKeys.readKey(try vectors.hex("read_key"), vault: "testvault01") }
    }

    var owner: OwnerKey {
        get throws {
            let text = TestKeys.secret(try vectors.bytes("credential"))
            return OwnerKey(try KeyString.parseVaultKey(text), try readKey)
        }
    }
}
