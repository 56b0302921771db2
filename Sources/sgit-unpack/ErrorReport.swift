// The words and the exit status of what this tool alone finds wrong.
import CommandInterface
import Encodings
import FileSystem
import Objects
import VaultFile

extension ForeignUnpackError: Reportable {
    var report: Report {
        switch self {
        case .refused(let file, .notAnArchive, _):
            Report(
                "\(quoted(file.utf8)) is no archive that is read here",
                hint:
                    "it must be a zip or a tar, and a tar may be compressed by gzip, bzip2, xz or zstd",
                status: .damaged)
        case .refused(let file, let reason, let name):
            Report(
                "\(quoted(file.utf8)) is refused: "
                    + ForeignUnpackError.words(reason, name.isEmpty ? "it" : quoted(name)),
                status: .damaged)
        case .badName(let file, let name):
            Report(
                "\(quoted(file.utf8)) is refused: \(quoted(name)) cannot be the name of a file of a store",
                status: .damaged)
        case .secondRoot(let file, let name):
            Report(
                "\(quoted(file.utf8)) is refused: \(quoted(name)) lies below a second bare/ folder",
                status: .damaged)
        case .noBareFolder(let file):
            Report("\(quoted(file.utf8)) holds no bare/ folder", status: .damaged)
        case .noReader(let code):
            Report(
                "cannot run 'sgit-read-archive': "
                    + (code.map(FileError.words) ?? "nobody knows where it is"),
                hint: "it is installed in libexec/sgit, beside the folder of this program",
                status: .failure)
        case .readerFailed: Report("'sgit-read-archive' failed", status: .failure)
        }
    }

    private static func words(_ reason: MemberRecord.Refusal, _ member: String) -> String {
        switch reason {
        case .notAnArchive: "it is no archive"
        case .damaged: "\(member) is damaged"
        case .badName: "\(member) is no name that an archive may hold"
        case .longName: "a name is longer than \(MemberStream.longestName) bytes"
        case .link: "\(member) is a link"
        case .special: "\(member) is a device, pipe or socket"
        case .encrypted: "\(member) is encrypted"
        case .largeMember: "\(member) is larger than 2 GiB"
        case .expands: "it holds far more than its size allows"
        case .tooManyMembers: "it has more than \(MemberStream.mostMembers) members"
        case .nested: "it is compressed more than once"
        }
    }
}

extension SalvageError: Reportable {
    var report: Report {
        switch self {
        case .nothingSound(let path):
            Report("nothing in '\(path)' is sound", status: .damaged)
        case .lostHead(let head):
            Report(
                "the ref '\(head.ref)' is lost; the header says that it held '\(head.commit?.text ?? "-")'",
                status: .damaged)
        case .notSound(let name):
            Report("'\(name.text)' is damaged and was left out", status: .damaged)
        }
    }
}
