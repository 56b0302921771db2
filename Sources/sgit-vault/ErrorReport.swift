// The words and the exit status of the errors that only the porcelain meets; all others are in Plumbing.

package import CommandInterface
package import Devices
import Objects
import Plumbing

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
        }
    }
}
