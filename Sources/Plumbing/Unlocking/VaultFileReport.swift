// The words and the exit status of what can be wrong with a vault file.

package import CommandInterface
import Encodings
import Locks
import Plumbing
package import VaultFile

extension VaultFileError: Reportable {
    package var report: Report {
        switch self {
        case .damaged(let path, .notOurs):
            Report(
                "'\(path)' is no vault file: it does not begin with the header of one",
                hint:
                    "sgit-unpack --no-header reads a zip or tar of a store that another program made",
                status: .damaged)
        case .damaged(let path, let damage):
            Report(
                "'\(path)' is damaged: \(damage.report.message)",
                hint: "sgit-unpack --salvage brings out what is sound", status: .damaged)
        case .badHeader(let path, .version(let version)):
            Report(
                "'\(path)' has version \(version) of the format, and this release reads 1",
                status: .notAllowed)
        case .badHeader(let path, let error):
            Report(
                "the header of '\(path)' is damaged: \(VaultFileError.words(error))",
                status: .damaged)
        case .nameMismatch(let path, let name):
            Report(
                "'\(path)' is damaged: the bytes of '\(name.text)' hash to another name",
                hint: "sgit-unpack --salvage brings out what is sound", status: .damaged)
        case .foreignKey(let path):
            Report(
                "the key does not fit '\(path)': it is of another vault, or its passphrase is another",
                status: .wrongKey)
        case .altered(let path, let alteration):
            Report(
                "the header or contents of '\(path)' were altered: \(VaultFileError.words(alteration))",
                status: .damaged)
        case .requires(let path, let feature):
            Report(
                "'\(path)' asks for \(quoted(feature)), which this release does not know",
                status: .notAllowed)
        }
    }

    private static func words(_ error: HeaderError) -> String {
        switch error {
        case .tooLarge: "it is larger than \(VaultHeader.limit) bytes"
        case .form(.malformed): "it is no JSON"
        case .form(.unusable): "it holds a value that the canonical form does not have"
        case .form(.otherBytes): "it is not in canonical form"
        case .badMember(let name): "its '\(name)' has a bad form"
        case .version(let version): "it has version \(version)"
        }
    }

    private static func words(_ alteration: Alteration) -> String {
        switch alteration {
        case .header: "the code of the header does not fit"
        case .locks: "the code of the list of locks does not fit"
        case .contents: "the members are not those of the inventory"
        case .head(let ref): "the ref '\(ref)' is not what the header says"
        case .fingerprint: "this device knows another vault of this id"
        case .serial: "its serial is too far ahead of the one known"
        case .lock(let id): "the lock \(quoted(id)) is not the one that this device remembers"
        }
    }
}

extension ZipDamage: Reportable {
    package var report: Report { Report(words, status: .damaged) }

    private var words: String {
        switch self {
        case .notOurs: "it does not begin with a header"
        case .end: "it does not end as it must: it is cut short, or something stands behind its end"
        case .directory(let member):
            "the record of member \(member) in its directory has a bad form"
        case .name(let name): "it holds \(quoted(name)), which is no name of a file of a store"
        case .order(let name): "the member \(quoted(name)) does not stand where it must"
        case .tooManyMembers: "it has more than \(StoredZip.maximumMembers) members"
        case .localHeader(let name): "the record before the member \(quoted(name)) has a bad form"
        case .checksum(let name): "the bytes of \(quoted(name)) do not fit their checksum"
        case .tooLarge(let name): "the member \(quoted(name)) is larger than any of a store"
        case .cut: "it became shorter while it was read"
        }
    }
}

extension NewBareFolderError: Reportable {
    package var report: Report {
        switch self {
        case .exists(let path):
            Report("'\(path)' is there already", hint: "name another folder", status: .failure)
        case .nameMismatch(let name):
            Report(
                "'\(name.text)' is damaged: its bytes hash to another name", status: .damaged)
        case .repeatedName(let name):
            Report("'\(name.text)' stands twice, or is also a folder", status: .damaged)
        }
    }
}

extension PackError: Reportable {
    package var report: Report {
        switch self {
        case .changed(let path):
            Report("'\(path)' changed while the store was packed", status: .moved)
        case .tooManyMembers:
            Report(
                "the store has more than \(StoredZip.maximumMembers - 1) files", status: .notAllowed
            )
        case .headerTooLarge:
            Report(
                "the header would be larger than \(VaultHeader.limit) bytes", status: .notAllowed)
        case .tooManyLocks:
            Report(
                "the file would have more than \(VaultHeader.maximumLocks) locks",
                status: .notAllowed)
        }
    }
}

extension ReplaceError: Reportable {
    package var report: Report {
        switch self {
        case .inWorkingCopy(let path, let copy):
            Report(
                "'\(path)' lies in the working copy '\(copy)', where sgit would commit it",
                hint: "name a path outside of it", status: .notAllowed)
        case .moved(let path):
            Report("'\(path)' changed again and again while it was written", status: .moved)
        }
    }
}

extension OpeningError: Reportable {
    package var report: Report {
        switch self {
        case .noLock(let path, let id):
            Report("'\(path)' has no lock \(quoted(id))", status: .missing)
        case .opensNothing(let path, 0):
            Report("'\(path)' has no lock that such a secret could open", status: .wrongKey)
        case .opensNothing(let path, let tried):
            Report(
                "this secret opens none of the \(tried) locks of '\(path)' that it could",
                status: .wrongKey)
        case .mistypedCode(let error):
            Report(
                error.report.message,
                hint: "sgit-recovery-code --check --lock finds one mistake in a code",
                status: .wrongKey)
        case .notAllTried(let path, let left):
            Report(
                "this secret opens none of the locks of '\(path)' that were tried; \(left) more were not",
                hint: "name one with --lock", status: .wrongKey)
        }
    }
}
