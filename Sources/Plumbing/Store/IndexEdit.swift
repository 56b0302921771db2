package import Cryptography
import Encodings
import Objects
import VaultKeys

// Edits of the branch index and of the keys beside it: read under a hold, changed, written. What an edit does not
// mean to change, members it does not know among it, stays as it is stored.

extension BranchIndex {
    /// The index of a store that has none yet.
    static var empty: BranchIndex {
        BranchIndex(
            gate: FormatGate(format: nil, minimumClient: nil, features: []), branches: [],
            tags: [], document: .object([]))
    }

    /// Adds a branch at the end.
    package mutating func add(_ branch: Branch) {
        branches.append(branch)
        var stored = document["branches"]?.elements ?? []
        stored.append(branch.stored)
        document.set("branches", .array(stored))
    }

    /// Raises the format; 2 brings the feature `ids-128` with it.
    ///
    /// - Throws: `StoreError.editRefused` where that would lower it.
    package mutating func raise(format: Int) throws {
        guard format >= max(gate.effectiveFormat, gate.format ?? 1) else {
            throw StoreError.editRefused(reason: "the format never goes down")
        }
        if format != gate.format, !(format == 1 && gate.format == nil) {
            gate.format = format
            document.set("format", .integer(format))
        }
        if format == 2 { try add(feature: Array("ids-128".utf8)) }
    }

    /// - Throws: `StoreError.editRefused` where the minimum would go down, or past what this release is.
    package mutating func raise(minimumClient text: [UInt8]) throws {
        guard let version = ClientVersion(text), version <= FormatGate.client else {
            throw StoreError.editRefused(reason: "this release answers for no client so new")
        }
        if let old = gate.minimumClient.flatMap({ ClientVersion($0) }) {
            guard version >= old else {
                throw StoreError.editRefused(reason: "the minimum never goes down")
            }
            if version <= old { return }
        }
        gate.minimumClient = text
        document.set("min_client", .string(text))
    }

    /// - Throws: `StoreError.editRefused` for `packs`, which says that the objects lie elsewhere.
    package mutating func add(feature: [UInt8]) throws {
        guard !feature.isEqual(to: "packs") else {
            throw StoreError.editRefused(reason: "this release writes no packs")
        }
        if gate.features.contains(feature) { return }
        gate.features.append(feature)
        document.set("features", .array(gate.features.map { .string($0) }))
    }

    /// The exact text that sgit stores: the members that it knows in its order, then all others.
    func encode() -> [UInt8] {
        let known: [(name: StaticString, value: JSONValue)] = [
            ("schema", .text("branch_index_v1")), ("format", .null), ("min_client", .null),
            ("branches", .array([])), ("features", .array([])), ("tags", .array([])),
        ]
        let members = known.map { JSONValue.Member($0.name, document[$0.name] ?? $0.value) }
        let unknown = document.members.filter { member in
            !known.contains { member.name.isEqual(to: $0.name) }
        }
        return JSONWriter.write(.object(members + unknown), .stored)
    }
}

extension BranchIndex.Branch {
    /// The members of a branch in stored order.
    fileprivate var stored: JSONValue {
        func nullable(_ text: [UInt8]?) -> JSONValue { text.map { .string($0) } ?? .null }
        return .object([
            .init("branch_id", .string(id)), .init("name", .string(name)),
            .init("branch_type", .text(kind.rawValue)), .init("head_ref_id", .string(ref)),
            .init("public_key_id", nullable(key)), .init("private_key_id", .null),
            .init("created_at", createdAt), .init("creator_branch", nullable(creator)),
            .init("display_name", nullable(displayName)),
        ])
    }
}

extension StoreHold {
    /// Reads the index, lets `edit` change it, and writes it where something changed.
    ///
    /// - Throws: what `edit` throws; then nothing is written.
    package func editIndex<Result>(
        _ edit: (inout BranchIndex) throws -> Result
    ) throws -> Result {
        let old = try store.index() ?? .empty
        var index = old
        let result = try edit(&index)
        if index.document != old.document {
            let text = index.encode()
            guard text.count <= BranchIndex.limit else {
                throw StoreError.editRefused(reason: "the index would pass its largest size")
            }
            try write(text, as: store.ids.branchIndex, in: .indexes)
            store.forget()
        }
        return result
    }

    /// Stores a public key and returns its id; of one that is there already, the id it has.
    package func add(_ key: P256.PublicKey) throws -> [UInt8] {
        if let id = try store.keys.id(of: key) { return id }
        let id = Array("key-rnd-imm-".utf8) + Hex.encode(random.bytes(8))
        try write(
            PublicKeys.encode(pem: key.pem), as: String(decoding: id, as: UTF8.self), in: .keys)
        return id
    }

    /// A branch with a new id, and a ref of its own unless one is named.
    ///
    /// `current`, and the first clone branch where it is called `local`, have the refs that the key gives them.
    package func newBranch(
        named name: [UInt8], _ kind: BranchIndex.Branch.Kind, ref: [UInt8]?, time: Int
    ) throws -> BranchIndex.Branch {
        let index = try store.index() ?? .empty
        if kind == .named, index.branches.contains(where: { $0.kind == .named && $0.name == name })
        {
            throw StoreError.branchExists(name: name)
        }
        func isFree(_ ref: String) -> Bool {
            !index.branches.contains { $0.ref.elementsEqual(ref.utf8) }
        }
        let label = kind == .named ? "muw" : "snw"
        var given = ref
        if given == nil, kind == .named, name.elementsEqual("current".utf8) {
            given = Array(store.ids.mainRef.utf8)
        }
        if given == nil, kind == .clone, name.elementsEqual("local".utf8),
            isFree(store.ids.firstCloneRef)
        {
            given = Array(store.ids.firstCloneRef.utf8)
        }
        return BranchIndex.Branch(
            id: Array("branch-\(kind.rawValue)-".utf8) + Hex.encode(random.bytes(8)), name: name,
            kind: kind,
            ref: given ?? Array("ref-pid-\(label)-".utf8) + Hex.encode(random.bytes(6)), key: nil,
            createdAt: .integer(time), creator: nil, displayName: nil)
    }
}
