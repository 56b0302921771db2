// The words and the exit status of what this tool alone refuses or says.
import CommandInterface
import Objects
import VaultFile

/// Why a store was not packed.
enum PackRefusal: Reportable {
    /// A read key makes no list of locks.
    case readKeyMakesNoLocks
    case readKeyTakesNoLocks
    /// Only the owner joins lists of locks.
    case listsDiffer
    case foreignLock(id: [UInt8], vaultID: [UInt8])
    case notAdded(id: [UInt8], LockAdditionError)
    /// A file that should hold locks holds something else.
    case noLocks(path: [UInt8], any Reportable)
    /// The file holds a member that the store does not.
    case lacks(path: String, String)
    case keysDiffer(path: String, String)
    case notCovered(path: String, ref: String, ObjectID)
    /// The file's index lists a branch or tag that the store's does not, or asks for more.
    case indexLacks(path: String)
    case lastSerial

    var report: Report {
        switch self {
        case .readKeyMakesNoLocks:
            Report(
                "a read key makes no list of locks",
                hint: "carry one over with --header-from, or give the vault key",
                status: .notAllowed)
        case .readKeyTakesNoLocks:
            Report(
                "a read key adds no lock", hint: "give the vault key", status: .notAllowed)
        case .listsDiffer:
            Report(
                "the files have different locks, and a read key does not join them",
                hint: "give the vault key", status: .notAllowed)
        case .foreignLock(let id, let vaultID):
            Report(
                "the lock \(quoted(id)) belongs to the vault \(quoted(vaultID)), not to this one",
                status: .wrongKey)
        case .notAdded(let id, .altered):
            Report(
                "the lock \(quoted(id)) is not the one of that id in the file", status: .damaged)
        case .notAdded(let id, .removed):
            Report(
                "the lock \(quoted(id)) was removed from the vault",
                hint: "sgit-wrap-key makes a new one", status: .notAllowed)
        case .noLocks(let path, let error):
            Report(
                "\(quoted(path)): \(error.report.message)", hint: error.report.hint,
                status: error.report.status)
        case .lacks(let path, let name):
            Report(
                "'\(path)' holds '\(name)', which the store lacks",
                hint: ["bare/data/", "bare/keys/"].contains { name.hasPrefix($0) }
                    ? "sgit-union brings it into the store"
                    : "bring the two together, and pack again",
                status: .moved)
        case .keysDiffer(let path, let name):
            Report(
                "'\(name)' in '\(path)' is another key than the one of that name in the store",
                status: .damaged)
        case .notCovered(let path, let ref, let commit):
            Report(
                "'\(path)' has '\(commit.text)' on '\(ref)', which the store's heads do not cover",
                hint: "bring the two together, and pack again", status: .moved)
        case .indexLacks(let path):
            Report(
                "the branch index of '\(path)' lists what the store's does not",
                hint: "bring the two together, and pack again", status: .moved)
        case .lastSerial: Report("there is no serial after the one read", status: .notAllowed)
        }
    }
}

/// What is said of a file that is written nevertheless.
enum PackNotice {
    case leftOut([UInt8])
    case unprovenLocks(String)
    case alteredLock([UInt8])
    case keptLocks
    case noLinks(String)

    var report: Report {
        switch self {
        case .leftOut(let path):
            Report(
                "\(quoted(path)) has a name that no vault file holds, and is left out",
                status: .success)
        case .unprovenLocks(let path):
            Report(
                "the locks of '\(path)' are carried over unproven: a read key cannot tell whose they are",
                status: .success)
        case .alteredLock(let id):
            Report(
                "the lock \(quoted(id)) was altered: it differs between the files",
                status: .success)
        case .keptLocks:
            Report(
                "the files removed each other's locks: only what both had removed stays removed",
                status: .success)
        case .noLinks(let path):
            Report(
                "the file system of '\(path)' has no links: the replaced file was copied",
                status: .success)
        }
    }
}
