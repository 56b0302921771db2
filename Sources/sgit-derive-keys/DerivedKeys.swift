import CommandInterface
import Encodings
import SecretMemory
import VaultKeys

/// All that follows from a key, and how it is printed.
///
/// A key is printed from its own memory, digit by digit.
struct DerivedKeys {
    private let readKey: ReadKey
    /// Nil where only a read key was given.
    private let writeKey: SecretBytes?

    init(_ given: KeyString) {
        switch given {
        case .readKey(let key): (readKey, writeKey) = (key, nil)
        case .vaultKey(let key): (readKey, writeKey) = (key.readKey(), key.writeKey())
        }
    }

    /// The line that every tool accepts as a key.
    ///
    /// One PBKDF2 for a vault key.
    static func printReadKey(of given: KeyString, to output: Output) {
        let readKey =
            switch given {
            case .readKey(let key): key
            case .vaultKey(let key): key.readKey()
            }
        output.write("sgit_private_read_")
        printHex(readKey.secret, to: output)
        output.line(":" + readKey.vaultID.text)
    }

    func printLines(to output: Output) {
        output.line("vault-id \(readKey.vaultID.text)")
        for (name, secret) in secrets {
            guard let secret else { continue }
            output.write(name + " ")
            DerivedKeys.printHex(secret, to: output)
            output.write(0x0A)
        }
        for (name, id) in names { output.line("\(name) \(id)") }
    }

    func printJSON(to output: Output) {
        func member(_ name: String) -> String {
            "\"" + String(name.map { $0 == "-" ? "_" : $0 }) + "\":"
        }
        output.write("{" + member("vault-id") + "\"\(readKey.vaultID.text)\"")
        for (name, secret) in secrets {
            output.write("," + member(name))
            guard let secret else {
                output.write("null")
                continue
            }
            output.write("\"")
            DerivedKeys.printHex(secret, to: output)
            output.write("\"")
        }
        for (name, id) in names { output.write("," + member(name) + "\"\(id)\"") }
        output.line("}")
    }

    private var secrets: [(String, SecretBytes?)] {
        [
            ("read-key", readKey.secret), ("write-key", writeKey),
            ("structure-key", readKey.structureKey()),
        ]
    }

    private var names: [(String, String)] {
        let ids = FileIDs(readKey)
        return [
            ("ref-id", ids.mainRef), ("index-id", ids.branchIndex),
            ("local-ref-id", ids.firstCloneRef),
            ("fallback-branch-id", ids.fallbackBranch),
        ]
    }

    private static func printHex(_ secret: SecretBytes, to output: Output) {
        secret.withBytes { bytes in
            for byte in bytes {
                output.write(Hex.digit(byte >> 4))
                output.write(Hex.digit(byte & 15))
            }
        }
    }
}
