import CommandInterface
import FileSystem
import Objects
import Plumbing

/// What `put` stores: paths in the vault, and where the bytes of each are.
struct PutSources {
    struct Source {
        let path: [EntryName]
        /// Nil for standard input.
        let file: String?
        /// Whether it was found in a folder, as a file and no link.
        var isFound = false

        /// The bytes, with the room around them that sealing needs.
        func read() throws -> [UInt8] {
            let (before, after) = (EnvelopeLayout.roomBefore, EnvelopeLayout.roomAfter)
            guard let file else {
                return try StandardInput.contents(
                    limit: ObjectLimit.blob, before: before, after: after)
            }
            if isFound {
                return try FileContents.readFile(
                    file, limit: ObjectLimit.blob, before: before, after: after)
            }
            return try FileContents.read(
                Array(file.utf8), limit: ObjectLimit.blob, before: before, after: after)
        }
    }

    private(set) var list: [Source] = []
    let isFolder: Bool
    private let call: Invocation

    /// - Throws: `UsageError` for a path that may not be written.
    init(path: [UInt8], source: String?, _ call: Invocation) throws {
        self.call = call
        isFolder = source.map(Folder.exists) ?? false
        guard isFolder, let source else {
            list = [Source(path: try VaultPath.new(path), file: source)]
            return
        }
        let root = path.elementsEqual(".".utf8) ? [] : try VaultPath.new(path)
        try add(source, at: root)
    }

    /// Adds the files of a folder and of those below it; what is no file, or may not be stored, is named.
    private mutating func add(_ root: String, at path: [EntryName]) throws {
        var waiting = [(folder: root, path: path)]
        while let (folder, path) = waiting.popLast() {
            for item in try Folder(folder).items() {
                let shown = folder + "/" + String(decoding: item.name, as: UTF8.self)
                guard let text = String(validating: item.name, as: UTF8.self),
                    !text.hasSuffix(PendingFile.ending) || !text.hasPrefix("."),
                    let below = try? VaultPath.new(
                        PrettyLayout.path(path + [EntryName(item.name)].compactMap { $0 }))
                else {
                    leaveOut(shown, "its name may not be stored")
                    continue
                }
                switch item.kind {
                case .file:
                    list.append(Source(path: below, file: folder + "/" + text, isFound: true))
                case .folder: waiting.append((folder + "/" + text, below))
                case .other: leaveOut(shown, "it is no regular file")
                }
            }
        }
    }

    private func leaveOut(_ shown: String, _ reason: String) {
        call.warn(Report("'\(shown)' is left out: \(reason)", status: .success))
    }
}
