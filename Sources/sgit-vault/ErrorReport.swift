// The words and the exit status of the errors that only the porcelain meets; all others are in Plumbing.

package import CommandInterface
package import Devices
import FileSystem
import Objects
import Plumbing
package import VaultFile

extension RemoveError: Reportable {
    package var report: Report {
        switch self {
        case .isFolder(let path):
            Report(
                "\(quoted(PrettyLayout.path(path))) is a folder",
                hint: "'rm -r' removes it with all that is in it", status: .failure)
        }
    }
}

extension DeviceError: Reportable {
    package var report: Report {
        switch self {
        case .noWorkingCopy(let path):
            Report(
                "'\(path)' is a bare store: no device's keys lie beside it",
                hint:
                    "sgit-hash-object, sgit-mktree, sgit-commit-tree and sgit-update-ref write one",
                status: .notAllowed)
        case .readOnly(let path):
            Report("the copy in '\(path)' is read only", status: .notAllowed)
        case .damagedConfiguration(let path): Report("'\(path)' is damaged", status: .damaged)
        case .noBranch(let id):
            Report(
                "the vault lists no branch \(quoted(id)), which is this device's", status: .missing)
        case .noTrackedBranch(let id):
            Report(
                "this device's branch tracks \(quoted(id)), which is no named branch of the vault",
                status: .missing)
        case .noSigningKey(let path):
            Report("there is no private key of this device in '\(path)'", status: .missing)
        case .diverged(let device, let shared):
            Report(
                "this device's head '\(device.text)' and the shared one '\(shared.text)' have diverged",
                hint: "sgit pull merges them, or sgit-commit-tree with both as parents",
                status: .moved)
        case .changedFile(let path):
            Report(
                "the working file '\(path)' has changes that are in no commit",
                hint:
                    "'sgit-vault put' with the file as its source stores them; or put the file away",
                status: .failure)
        case .vaultExists(let path):
            Report("there is a vault in '\(path)' already", status: .failure)
        case .noVaultFile(let id):
            Report("the vault '\(id)' was never in a file, and has no locks", status: .missing)
        case .lastSerial:
            Report("the serial of the vault file can rise no more", status: .notAllowed)
        }
    }
}

extension VaultChoiceError: Reportable {
    var report: Report {
        switch self {
        case .none:
            Report(
                "this device knows no vault",
                hint: "'sgit-vault init FILE' makes one, 'sgit-vault open FILE' brings one here",
                status: .failure)
        case .several(let lines):
            Report(
                "several vaults could be meant: \(lines.joined(separator: "; "))",
                hint: "name one with --vault", status: .usage)
        case .unknown(let name):
            Report(
                "this device knows no vault '\(name)', and there is no such file",
                status: .missing)
        case .notOpened(let path):
            Report(
                "this device does not know the vault in '\(path)'",
                hint: "'sgit-vault open' brings it here", status: .failure)
        case .noDeviceVault:
            Report(
                "a store in a folder has no vault file and no locks",
                hint: "name a vault file with --vault", status: .notAllowed)
        }
    }
}

extension StorePathError: Reportable {
    var report: Report {
        switch self {
        case .noHome:
            Report(
                "there is no place for this device's vaults", hint: "set $SGIT_HOME",
                status: .failure)
        case .noFolder(let path):
            Report("cannot tell where '\(path)' is: the current folder is gone", status: .failure)
        }
    }
}

extension PersonError: Reportable {
    var report: Report {
        switch self {
        case .absent(let prompt):
            Report(
                "a secret is needed (\(prompt.prefix { $0 != ":" })), and there is no terminal to ask on",
                hint: "give it by file or descriptor: see the options", status: .secretNeeded)
        case .notTheSame: Report("what was typed twice was never the same", status: .failure)
        case .nothingTyped: Report("nothing was typed", status: .secretNeeded)
        }
    }
}

extension TerminalError: Reportable {
    package var report: Report {
        switch self {
        case .closed: Report("the terminal gave no answer", status: .secretNeeded)
        case .tooLong: Report("what was typed is too long", status: .failure)
        case .system(let code):
            Report("cannot use the terminal: \(FileError.words(code))", status: .failure)
        }
    }
}

extension InitError: Reportable {
    var report: Report {
        switch self {
        case .exists(let path):
            Report(
                "'\(path)' is there already", hint: "'sgit-vault open' opens a vault that is there",
                status: .failure)
        case .awaited(let path, let id):
            Report(
                "'\(path)' is where this device saves the vault \(id)",
                hint: "'sgit-vault status --vault \(id)' writes the file again",
                status: .failure)
        }
    }
}

extension PrivateFileError: Reportable {
    var report: Report {
        switch self {
        case .exists(let path): Report("'\(path)' is there already", status: .failure)
        }
    }
}

extension ArrivalError: Reportable {
    var report: Report {
        switch self {
        case .otherFingerprint(let path, let shown):
            Report("'\(path)' has the fingerprint \(shown): it is another vault", status: .damaged)
        case .unprovenMaker(let shown):
            Report(
                "anyone could have made this vault for your public key: its fingerprint is \(shown)",
                hint: "where that is what its maker told you, say it with --fingerprint",
                status: .notAllowed)
        }
    }
}

extension ForeignCodeError: Reportable {
    var report: Report {
        Report(
            "this is the recovery code of another vault: \(quoted(name.utf8)) (\(id)), not of '\(path)'",
            status: .wrongKey)
    }
}

extension ForgetError: Reportable {
    var report: Report {
        switch self {
        case .nothingElseOpens(let name):
            Report(
                "without the key on this device nothing would open \(quoted(name.utf8)) any more",
                hint: "'sgit-vault lock add' adds a lock", status: .notAllowed)
        }
    }
}

extension LockChoiceError: Reportable {
    var report: Report {
        switch self {
        case .none(let name):
            Report(
                "the vault has no lock \(quoted(name))", hint: "'sgit-vault lock list' lists them",
                status: .no)
        case .several(let name, let ids):
            Report(
                "several locks are called \(quoted(name)): \(ids.joined(separator: ", "))",
                hint: "name one by its id", status: .failure)
        case .wrongKind(let id, let kind):
            Report(
                "the lock \(quoted(id)) is of kind \(quoted(kind)), whose secret is not changed here",
                hint: "add a new lock, and remove this one", status: .notAllowed)
        case .notPrinted(let id, let kind):
            Report(
                "the lock \(quoted(id)) is of kind \(quoted(kind)): only a recovery code is printed",
                status: .notAllowed)
        case .last(let id):
            Report(
                "the lock \(quoted(id)) is the last that gives the key of the vault",
                hint: "add another first, or insist with --no-locks", status: .notAllowed)
        }
    }
}

extension LockAdditionError: Reportable {
    package var report: Report {
        switch self {
        case .altered: Report("another lock of that id is there", status: .damaged)
        case .removed: Report("that lock was removed from the vault", status: .notAllowed)
        }
    }
}

extension RehearsalError: Reportable {
    var report: Report {
        switch self {
        case .noFile(let name):
            Report("no file of \(quoted(name.utf8)) is there to be opened", status: .missing)
        }
    }
}
