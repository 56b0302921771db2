// A file that another program made, or whose header is not believed. A program of its own parses it; here its words
// are taken for no more than names and bytes, under the rules of every store.
import CommandInterface
import Encodings
import FileSystem
import VaultFile

/// Why a file that is not ours became no store.
enum ForeignUnpackError: Error {
    /// As it was read.
    case refused(file: String, MemberRecord.Refusal, name: [UInt8])
    /// A member below `bare/` has a name that a store cannot hold.
    case badName(file: String, [UInt8])
    /// A member lies below another `bare/` than those before it.
    case secondRoot(file: String, [UInt8])
    case noBareFolder(file: String)
    /// The program that reads archives did not start, with the system's number; nil where its place is not known.
    case noReader(code: Int32?)
    /// It ended before it said how it ended, or said one thing and did another.
    case readerFailed
}

/// Writes the store that `file` holds to `folder/bare`.
func unpackForeign(
    _ file: String, into folder: String, _ call: Invocation
) throws -> ExitStatus {
    let source = try StoredFile(file)
    let reader = try startReader(on: source)
    var stream = MemberStreamReader { target in
        try Descriptors.read(reader.output, path: "the reader of archives", into: target)
    }
    var unpacking = ForeignUnpacking(file, into: folder, call)
    do {
        while let record = try stream.next() { try unpacking.take(record) }
    } catch is MemberStreamError {
        throw ForeignUnpackError.readerFailed
    }
    guard reader.wait() == .exited(ExitStatus.success.rawValue) else {
        throw ForeignUnpackError.readerFailed
    }
    try unpacking.finish()
    return .success
}

/// Starts the program that parses archives: where it is installed, else where it is built.
private func startReader(on file: StoredFile) throws -> ChildProcess {
    guard let folder = Tool.ownFolder() else { throw ForeignUnpackError.noReader(code: nil) }
    let name = "sgit-read-archive"
    let input = ChildProcess.Input.descriptor(file.descriptor)
    // What parses the bytes of strangers is not even told where a key is.
    let hidden = ["SGIT_KEY_FILE", "SGIT_KEY_FD"]
    do throws(ChildProcessError) {
        return try ChildProcess(
            .file(Array("\(folder)/../libexec/sgit/\(name)".utf8)), input: input,
            unsetting: hidden)
    } catch {}
    do throws(ChildProcessError) {
        return try ChildProcess(
            .file(Array("\(folder)/\(name)".utf8)), input: input, unsetting: hidden)
    } catch {
        guard case .notStarted(_, let code) = error else { throw error }
        throw ForeignUnpackError.noReader(code: code)
    }
}

/// The store that is made of a stream of members.
private struct ForeignUnpacking {
    private let file: String
    private let folder: String
    private let call: Invocation
    /// Made for the first member below `bare/`: for a file that has none no folder is made.
    private var bare: NewBareFolder?
    /// What stands before `bare/` in every name.
    private var root: [UInt8]?
    private var name: MemberName?
    private var bytes: [UInt8] = []

    init(_ file: String, into folder: String, _ call: Invocation) {
        self.file = file
        self.folder = folder
        self.call = call
    }

    mutating func take(_ record: MemberRecord) throws {
        switch record {
        case .file(let name): try begin(name)
        case .data(let more): bytes += more
        case .endOfFile:
            guard let name else { throw ForeignUnpackError.readerFailed }
            try bare?.add(name, bytes)
            bytes.removeAll(keepingCapacity: bytes.count < 1 << 20)
        case .leftOut(.finder, _): break
        case .leftOut(.outside, let name): sayLeftOut(name)
        case .refused(let reason, let name):
            throw ForeignUnpackError.refused(file: file, reason, name: name)
        case .end: break
        }
    }

    /// Gives the store its name.
    func finish() throws {
        guard let bare else { throw ForeignUnpackError.noBareFolder(file: file) }
        try bare.finish()
    }

    private mutating func begin(_ path: [UInt8]) throws {
        let slash = UInt8(ascii: "/")
        var start = 0
        for part in path.split(separator: slash, omittingEmptySubsequences: false) {
            if part.elementsEqual("bare".utf8) { break }
            start += part.count + 1
        }
        guard start < path.count, let name = MemberName(Array(path[start...])) else {
            throw ForeignUnpackError.badName(file: file, path)
        }
        let root = Array(path[..<start])
        guard self.root == nil || self.root == root else {
            throw ForeignUnpackError.secondRoot(file: file, path)
        }
        self.root = root
        self.name = name
        if bare == nil {
            bare = try NewBareFolder(
                in: folder, runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
        }
    }

    private func sayLeftOut(_ name: [UInt8]) {
        // A backup has the one, a working copy the other.
        let parts = name.split(separator: UInt8(ascii: "/"))
        let isKey =
            parts.last?.elementsEqual("VAULT-KEY".utf8) == true
            || parts.suffix(2).elementsEqual(
                ["local", "vault_key"], by: { $0.elementsEqual($1.utf8) })
        // Of a device: whoever has it signs in its name.
        let isSigningKey =
            parts.suffix(2).first?.elementsEqual("local".utf8) == true
            && parts.last?.suffix(4).elementsEqual(".pem".utf8) == true
        let shown = quoted(name)
        guard !isSigningKey else {
            call.warn(
                Report(
                    "left out \(shown): the signing key of a device lies in clear in \(quoted(file.utf8))",
                    status: .success))
            return
        }
        call.warn(
            isKey
                ? Report(
                    "left out \(shown): the vault key lies in clear in \(quoted(file.utf8))",
                    hint: "whoever has had that file can read the vault and change it",
                    status: .success)
                : Report("left out \(shown): it lies outside bare/", status: .success))
    }
}
