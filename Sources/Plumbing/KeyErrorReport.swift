// The words and the exit status of what can be wrong with a key that a person gives.

package import CommandInterface
import FileSystem
package import VaultKeys

extension SecretInputError: Reportable {
    package var report: Report {
        switch self {
        case .severalLines(let source):
            Report("the key in '\(source)' is more than one line", status: .wrongKey)
        case .tooLong(let source, let limit):
            Report("the key in '\(source)' is longer than \(limit) bytes", status: .wrongKey)
        case .readableByOthers(let path, let mode):
            Report(
                "others can read the key file '\(path)' (mode 0\(String(mode, radix: 8)))",
                hint: "chmod 600 '\(path)', or insist with --insecure-key-file", status: .notAllowed
            )
        case .system(let source, _) where source.hasPrefix("sgit_"):
            Report("what was given as the name of a key file looks like a key", status: .usage)
        case .system(let source, let code):
            Report(
                "cannot read the key from '\(source)': \(FileError.words(code))", status: .failure)
        case .empty(let source):
            Report(
                "no key was read from '\(source)'",
                hint: "a pipe gives its key to one program only; a file can be shared",
                status: .wrongKey)
        case .terminal:
            Report(
                "a key is needed, and this tool does not ask for one",
                hint: "give it with --key-file or --key-fd, or pipe it in", status: .secretNeeded)
        }
    }
}

extension KeyOptionsError: Reportable {
    package var report: Report {
        switch self {
        case .noKey:
            Report(
                "a key is needed",
                hint: "give it with --key-file, --key-fd, $SGIT_KEY_FILE or $SGIT_KEY_FD",
                status: .secretNeeded)
        case .twoKeys:
            Report(
                "'SGIT_KEY_FILE' and 'SGIT_KEY_FD' do not go together", hint: "unset one of them",
                status: .usage)
        case .badEnvironment(let name):
            Report("the value of '\(name)' is no descriptor number", status: .usage)
        }
    }
}

extension KeyStringError: Reportable {
    package var report: Report {
        switch self {
        case .malformed:
            Report(
                "the key has a bad form", hint: "a vault key is <passphrase>:<vault id>",
                status: .wrongKey)
        case .notAReadKey:
            Report(
                "the key says that it is a read key and has a bad form",
                hint: "a read key is 64 lower-case hex digits, a colon and the vault id",
                status: .wrongKey)
        case .badVaultID:
            Report(
                "the key names no vault",
                hint: "a vault id is 4 to 24 of a-z and 0-9, after the last colon",
                status: .wrongKey)
        }
    }
}

extension SigningKeyError: Reportable {
    package var report: Report {
        switch self {
        case .noKey(let path):
            Report(
                "'\(path)' holds no P-256 private key in PEM without a passphrase",
                hint: "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 makes one",
                status: .wrongKey)
        case .notStored(let path):
            Report(
                "the store has no public key that belongs to '\(path)'",
                hint: "openssl pkey -in '\(path)' -pubout | sgit-branch-index add-key -",
                status: .missing)
        }
    }
}
