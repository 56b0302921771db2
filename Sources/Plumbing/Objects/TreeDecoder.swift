import Encodings

/// Walks a tree's document; its buffers live as long as the walk, not as long as an entry.
struct TreeDecoder {
    private var scanner: JSONScanner
    private let cipher: EnvelopeCipher
    private var member: [UInt8] = []
    private var opened: [UInt8] = []
    /// The members of the entry at hand as they are stored; null and absent are both empty.
    private var blobID: [UInt8] = []
    private var treeID: [UInt8] = []
    private var name: [UInt8] = []
    private var size: [UInt8] = []
    private var contentHash: [UInt8] = []
    private var mediaType: [UInt8] = []
    private var isLarge = false
    /// The last media type seen: most entries of a folder share one, and then its memory too.
    private var lastMediaType: [UInt8] = []

    init(_ bytes: UnsafeRawBufferPointer, _ cipher: EnvelopeCipher) {
        scanner = JSONScanner(bytes)
        self.cipher = cipher
    }

    mutating func decode() throws -> Tree {
        var entries: [TreeEntry]?
        try scanner.beginObject()
        while try scanner.nextMember(&member) {
            if member.isEqual(to: "entries") {
                entries = try decodeEntries()
            } else if member.isEqual(to: "schema") {
                _ = try DocumentRules.readText(&scanner, into: &opened, "schema")
                guard opened.isEmpty || DocumentRules.isSchema(opened) else {
                    throw DocumentError.badMember("schema")
                }
            } else {
                try scanner.skipValue()
            }
        }
        try scanner.end()
        guard let entries else { throw DocumentError.missingMember("entries") }
        return Tree(entries: entries)
    }

    private mutating func decodeEntries() throws -> [TreeEntry] {
        guard try scanner.peek() == UInt8(ascii: "[") else {
            throw DocumentError.badMember("entries")
        }
        try scanner.beginArray()
        var entries: [TreeEntry] = []
        while try scanner.nextElement() {
            try readMembers()
            if let entry = try entry() { entries.append(entry) }
        }
        return TreeDecoder.withoutRepeated(entries)
    }

    /// Of several files of one name, and of several folders, only the last: the one that sgit reads.
    private static func withoutRepeated(_ entries: [TreeEntry]) -> [TreeEntry] {
        // As written, names ascend within files and within folders, and then none stands twice.
        let ascends = zip(entries, entries.dropFirst()).allSatisfy { one, next in
            one.target.kind == next.target.kind
                ? one.name < next.name : one.target.kind == .blob && next.target.kind == .tree
        }
        if ascends { return entries }
        var seen: [ObjectKind: Set<EntryName>] = [:]
        return entries.reversed().filter {
            seen[$0.target.kind, default: []].insert($0.name).inserted
        }.reversed()
    }

    private mutating func readMembers() throws {
        blobID.removeAll(keepingCapacity: true)
        treeID.removeAll(keepingCapacity: true)
        name.removeAll(keepingCapacity: true)
        size.removeAll(keepingCapacity: true)
        contentHash.removeAll(keepingCapacity: true)
        mediaType.removeAll(keepingCapacity: true)
        isLarge = false
        guard try scanner.peek() == UInt8(ascii: "{") else {
            throw DocumentError.badMember("entries")
        }
        try scanner.beginObject()
        while try scanner.nextMember(&member) {
            if member.isEqual(to: "blob_id") {
                _ = try DocumentRules.readText(&scanner, into: &blobID, "blob_id")
            } else if member.isEqual(to: "tree_id") {
                _ = try DocumentRules.readText(&scanner, into: &treeID, "tree_id")
            } else if member.isEqual(to: "name_enc") {
                _ = try DocumentRules.readText(&scanner, into: &name, "name_enc")
            } else if member.isEqual(to: "size_enc") {
                _ = try DocumentRules.readText(&scanner, into: &size, "size_enc")
            } else if member.isEqual(to: "content_hash_enc") {
                _ = try DocumentRules.readText(&scanner, into: &contentHash, "content_hash_enc")
            } else if member.isEqual(to: "content_type_enc") {
                _ = try DocumentRules.readText(&scanner, into: &mediaType, "content_type_enc")
            } else if member.isEqual(to: "large") {
                switch try scanner.value() {
                case .bool(let value): isLarge = value
                case .null: isLarge = false
                default: throw DocumentError.badMember("large")
                }
            } else {
                try scanner.skipValue()
            }
        }
    }

    /// The entry that the members make; nil where sgit would skip it.
    private mutating func entry() throws -> TreeEntry? {
        let blob = try TreeDecoder.id(blobID, "blob_id")
        let tree = try TreeDecoder.id(treeID, "tree_id")
        guard blob != nil || tree != nil, !name.isEmpty else { return nil }
        try open(name, "name_enc")
        guard !opened.isEmpty else { return nil }
        guard let entryName = EntryName(opened.exactCopy) else {
            throw DocumentError.badMember("name_enc")
        }
        guard let blob else {
            return tree.map { TreeEntry(name: entryName, target: .tree($0)) }
        }
        var facts = BlobFacts(size: 0, contentHash: [], mediaType: [], isLarge: isLarge)
        if !size.isEmpty {
            try open(size, "size_enc")
            guard let bytes = Decimal.parse(opened) else {
                throw DocumentError.badMember("size_enc")
            }
            facts.size = bytes
        }
        if !contentHash.isEmpty {
            try open(contentHash, "content_hash_enc")
            guard UTF8Text.isValid(opened) else {
                throw DocumentError.badMember("content_hash_enc")
            }
            facts.contentHash = opened.exactCopy
        }
        if !mediaType.isEmpty {
            try open(mediaType, "content_type_enc")
            guard UTF8Text.isValid(opened) else {
                throw DocumentError.badMember("content_type_enc")
            }
            if opened != lastMediaType { lastMediaType = opened.exactCopy }
            facts.mediaType = lastMediaType
        }
        return TreeEntry(name: entryName, target: .blob(blob, facts))
    }

    /// Opens a member's envelope into `opened`.
    private mutating func open(_ field: [UInt8], _ name: StaticString) throws {
        do throws(EnvelopeError) {
            try cipher.openField(field, into: &opened)
        } catch {
            throw DocumentError.sealedMember(name, error)
        }
    }

    private static func id(_ text: [UInt8], _ name: StaticString) throws -> ObjectID? {
        if text.isEmpty { return nil }
        guard let id = ObjectID(text) else { throw DocumentError.badMember(name) }
        return id
    }
}
