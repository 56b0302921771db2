// The words and the exit status of what can be wrong with a lock, or with the secret that a person offers for one.

package import CommandInterface
import Cryptography
import FileSystem
package import Locks
import Plumbing
package import SecretMemory

extension LockError: Reportable {
    package var report: Report {
        switch self {
        case .noLock:
            Report(
                "this is no lock",
                hint:
                    "a lock is one line as sgit-wrap-key prints it: a line feed at its end, no carriage return",
                status: .damaged)
        case .severalLines:
            Report("there is more than one line where one lock should be", status: .damaged)
        case .unknownVersion(let version):
            Report(
                "the lock has version \(version), and this release reads 1", status: .notAllowed)
        case .unusable(let id, let name):
            Report(
                "the lock \(quoted(id)) cannot be used by this version: it knows no \(quoted(name))",
                status: .notAllowed)
        case .outOfBounds(let id, let parameter):
            Report(
                "the lock \(quoted(id)) is refused: its '\(parameter)' is out of bounds",
                status: .wrongKey)
        case .doesNotOpen(let id):
            Report("this secret does not open the lock \(quoted(id))", status: .wrongKey)
        case .outOfMemory(let id, let lack):
            Report(
                "there is no memory for the lock \(quoted(id)): it takes \(lack.wanted >> 20) MiB",
                status: .failure)
        case .readKeyGrantsNoVault:
            Report(
                "a read key cannot grant the vault key", hint: "give the vault key",
                status: .notAllowed)
        case .unsealableKey:
            Report(
                "no lock can hold this key: it is longer than 960 bytes or holds a zero byte",
                status: .notAllowed)
        }
    }
}

extension RecoveryCodeError: Reportable {
    package var report: Report {
        switch self {
        case .badCharacter(let position):
            Report(
                "character \(position) is one that no recovery code has in that place",
                status: .wrongKey)
        case .wrongLength(let count):
            Report(
                "a recovery code has 28 characters, or 26 without its check, not \(count)",
                status: .wrongKey)
        case .wrongCheckCharacters:
            Report(
                "the check characters of the recovery code do not fit: one character or more is wrong",
                status: .wrongKey)
        }
    }
}

extension LockSecretError: Reportable {
    package var report: Report {
        switch self {
        case .noRecoveryCode(let error): error.report
        case .noPassphrase(let error): error.report
        case .noSecret:
            Report(
                "the secret has a bad form",
                hint: "it is 32 bytes as they are, or 64 lower-case hex digits", status: .wrongKey)
        case .noRSAKey:
            Report(
                "the secret is no RSA private key of 2048 to 8192 bits in PEM without a passphrase",
                status: .wrongKey)
        case .noP256Key:
            Report(
                "the secret is no P-256 private key in PEM without a passphrase",
                status: .wrongKey)
        case .readNowhere(let kind):
            Report(
                "a lock of kind \(quoted(kind)) is opened by no secret that is read",
                status: .wrongKey)
        }
    }
}

extension PassphraseError: Reportable {
    package var report: Report {
        switch self {
        case .severalLines: Report("the passphrase is more than one line", status: .wrongKey)
        case .text(.notUTF8): Report("the passphrase is no UTF-8", status: .wrongKey)
        case .text(.unassigned):
            Report(
                "the passphrase holds a character that Unicode has not assigned",
                status: .wrongKey)
        case .empty: Report("the passphrase is empty", status: .wrongKey)
        case .tooLong:
            Report(
                "the passphrase is longer than \(Passphrase.longest) bytes", status: .wrongKey)
        }
    }
}

extension SecretOptionsError: Reportable {
    package var report: Report {
        switch self {
        case .noSecret:
            Report(
                "a secret is needed", hint: "give it with --secret-file or --secret-fd",
                status: .secretNeeded)
        case .noProvider(let name):
            Report(
                "the lock asks for the helper \(quoted(name))",
                hint: "name it with --provider", status: .secretNeeded)
        case .input(let error): SecretOptionsError.report(error)
        }
    }

    /// The words of KeyErrorReport.swift, for a secret.
    private static func report(_ error: SecretInputError) -> Report {
        switch error {
        case .severalLines(let source):
            Report("the secret in '\(source)' is more than one line", status: .wrongKey)
        case .tooLong(let source, let limit):
            Report("the secret in '\(source)' is longer than \(limit) bytes", status: .wrongKey)
        case .readableByOthers(let path, let mode):
            Report(
                "others can read the secret file '\(path)' (mode 0\(String(mode, radix: 8)))",
                hint: "chmod 600 '\(path)', or insist with --insecure-secret-file",
                status: .notAllowed)
        case .system(let source, let code):
            Report(
                "cannot read the secret from '\(source)': \(FileError.words(code))",
                status: .failure)
        case .empty(let source):
            Report("no secret was read from '\(source)'", status: .wrongKey)
        case .terminal:
            Report(
                "a secret is needed, and this tool does not ask for one",
                hint: "give it with --secret-file or --secret-fd", status: .secretNeeded)
        }
    }
}

extension LockProviderError: Reportable {
    package var report: Report {
        switch self {
        case .notConfigured(let name):
            Report(
                "there is no folder in which to look for the helper \(quoted(name))",
                hint: "set $HOME or $XDG_CONFIG_HOME, or say --provider NAME=PROGRAM",
                status: .failure)
        case .failed(let name, .exited(let status)):
            Report("the helper \(quoted(name)) ended with status \(status)", status: .wrongKey)
        case .failed(let name, .killed(let signal)):
            Report("the helper \(quoted(name)) was ended by signal \(signal)", status: .wrongKey)
        case .badAnswer(let name):
            Report(
                "the helper \(quoted(name)) gave no secret: it must print 64 lower-case hex digits",
                status: .wrongKey)
        case .late(let name):
            Report(
                "the helper \(quoted(name)) did not answer within \(LockProvider.patience) seconds",
                status: .wrongKey)
        }
    }
}

extension RecipientError: Reportable {
    package var report: Report {
        switch self {
        case .noRSAKey(let path):
            Report(
                "\(quoted(path)) holds no RSA public key of 2048 to 8192 bits in PEM",
                hint: "openssl pkey -in KEY -pubout prints the one of a private key",
                status: .failure)
        case .noP256Key(let path):
            Report(
                "\(quoted(path)) holds no P-256 public key in PEM",
                hint: "openssl pkey -in KEY -pubout prints the one of a private key",
                status: .failure)
        }
    }
}

extension WrongLockKind: Reportable {
    package var report: Report {
        Report("the lock is of kind \(quoted(found))", status: .failure)
    }
}

extension SealedKeyFileError: Reportable {
    package var report: Report {
        Report("cannot hand the key on: \(FileError.words(code))", status: .failure)
    }
}

extension RecoveryCodeFault {
    /// What the person should change on the paper, or had mistyped.
    package var words: String {
        switch self {
        case .wrong(let position, let rightly): "character \(position) should be \(rightly)"
        case .swapped(let position): "characters \(position) and \(position + 1) are swapped"
        case .missing(let position, let rightly):
            "character \(position) is missing: it is \(rightly)"
        case .tooMany(let position): "character \(position) is one too many"
        case .checkCharacters: "the check characters are wrong"
        }
    }
}
