import CommandInterface
import Cryptography
import Encodings
import FileSystem
import Objects
import Plumbing
import Store

/// The commands that change the index or the keys beside it.
struct IndexEdits {
    private static let type = Option(
        nil, "type", "type", "what the branch is: named or clone",
        completion: .words(["named", "clone"]),
        { BranchIndex.Branch.Kind(rawValue: String(decoding: $0, as: UTF8.self)) })
    private static let ref = Option(
        nil, "ref", "ref", "the id of the ref that holds its head",
        { DocumentRules.isRefID($0) ? $0 : nil })
    private static let key = Option(
        nil, "key", "key", "the id of the stored public key of those who commit on it",
        { DocumentRules.isKeyID($0) ? $0 : nil })
    private static let creator = Option(
        nil, "creator", "branch", "the named branch that a clone branch tracks, by name or id",
        { $0.isEmpty ? nil : $0 })
    private static let displayName = Option(
        nil, "display-name", "name", "what a person calls it; of the same form as <name>",
        { BranchIndex.isBranchName($0) ? $0 : nil })
    private static let date = Option(
        nil, "date", "time", "milliseconds since 1970, or RFC 3339; else the clock",
        CommitTime.parse)
    private static let name = Operand(
        "name", "a name of 1 to 64 letters, digits, '-' and '_'",
        { BranchIndex.isBranchName($0) ? $0 : nil })
    private static let file = Operand(
        "file", "a P-256 public key in PEM; - for standard input", completion: .files,
        { String(validating: $0, as: UTF8.self) })
    private static let format = Operand(
        "format", "1 or 2",
        { number in Decimal.parse(number).flatMap { (1...2).contains($0) ? $0 : nil } })
    private static let version = Operand(
        "version", "a version: MAJOR.MINOR.PATCH", { ClientVersion(exactly: $0) == nil ? nil : $0 })
    private static let feature = Operand(
        "feature", "a feature: 1 to 40 of a-z, 0-9 and '-', not '-' first",
        { FormatGate.isFeature($0) ? $0 : nil })

    static let usage: [[UsageElement]] = [
        [
            .word(Word("add-branch", "add a branch, and print its id and that of its ref")),
            .any(type, ref, key, creator, displayName, date), store.elements, .one(name),
        ],
        [
            .word(Word("add-key", "store a public key, and print its id")), store.elements,
            .one(file),
        ],
        [
            .word(Word("set-format", "raise the format of the vault")), store.elements,
            .one(format),
        ],
        [
            .word(Word("set-min-client", "raise the oldest client that may read the vault")),
            store.elements, .one(version),
        ],
        [
            .word(Word("add-feature", "add a feature to the format gate")), store.elements,
            .one(feature),
        ],
    ]

    private let call: Invocation
    private let bare: BareStore
    private let vault: OpenStore

    init(_ vault: OpenStore, _ call: Invocation) {
        self.call = call
        self.vault = vault
        bare = vault.bare
    }

    func run(_ command: String) throws {
        if command == "add-key" { return try addKey() }
        let hold = try vault.hold()
        switch command {
        case "add-branch": try addBranch(hold)
        case "set-format":
            let format = call[IndexEdits.format]
            try hold.editIndex { try $0.raise(format: format) }
        case "set-min-client":
            let version = call[IndexEdits.version]
            try hold.editIndex { try $0.raise(minimumClient: version) }
        default:
            let feature = call[IndexEdits.feature]
            try hold.editIndex { try $0.add(feature: feature) }
        }
    }

    // MARK: -

    private func addBranch(_ hold: StoreHold) throws {
        let kind = call[IndexEdits.type] ?? .named
        var branch = try hold.newBranch(
            named: call[IndexEdits.name], kind, ref: call[IndexEdits.ref],
            time: call[IndexEdits.date] ?? call.now)
        if let key = call[IndexEdits.key] {
            guard try bare.keys.ids().contains(key) else {
                throw StoreError.noKey(id: String(decoding: key, as: UTF8.self))
            }
            branch.key = key
        }
        branch.creator = try creator(for: kind)
        branch.displayName = call[IndexEdits.displayName]
        try hold.editIndex { $0.add(branch) }
        call.output.write(branch.id)
        call.output.write(UInt8(ascii: " "))
        call.output.write(branch.ref)
        call.output.write(0x0A)
    }

    /// The named branch that the new one tracks: the one given, else for a clone branch `current`.
    private func creator(for kind: BranchIndex.Branch.Kind) throws -> [UInt8]? {
        let index = try bare.index()
        guard let name = call[IndexEdits.creator] else {
            return kind == .clone ? index?.branch(named: Array("current".utf8))?.id : nil
        }
        guard
            let found = index?.branches.first(where: {
                $0.kind == .named && ($0.name == name || $0.id == name)
            })
        else { throw ObjectNameError.unknown(name: name) }
        return found.id
    }

    private func addKey() throws {
        let path = call[IndexEdits.file]
        let pem =
            path == "-"
            ? try StandardInput.contents(limit: PublicKeys.limit)
            : try FileContents.read(Array(path.utf8), limit: PublicKeys.limit)
        guard let key = P256.PublicKey(pem: pem) else {
            throw StoreError.noPublicKey(source: path)
        }
        // The hold is taken once there is nothing to wait for.
        call.output.write(try vault.hold().add(key))
        call.output.write(0x0A)
    }
}
