import Objects
package import Store
import VaultKeys

/// The objects and public keys of a vault file, for a union.
package struct VaultFileSource: UnionSource {
    private let file: VaultFile

    package init(_ file: VaultFile) {
        self.file = file
    }

    package var name: String { file.path }

    package func names() -> [UnionName] {
        file.members.compactMap { VaultFileSource.unionName($0.name) }
    }

    package func bytes(of name: UnionName) throws -> [UInt8] {
        guard let member = MemberName(VaultFileSource.path(name)), let entry = file.entry(member)
        else { preconditionFailure("only what the file names is asked for") }
        guard entry.size <= name.limit else {
            throw StoreError.tooLarge(subject: name.text, limit: name.limit)
        }
        do {
            return try file.read(entry)
        } catch VaultFileError.damaged(_, let damage) {
            throw StoreError.damaged(subject: name.text, reason: damage)
        }
    }

    private static func path(_ name: UnionName) -> [UInt8] {
        let folder =
            switch name {
            case .object: "bare/data/"
            case .key: "bare/keys/"
            }
        return Array(folder.utf8) + name.bytes
    }

    /// Nil for a file that is neither an object nor a key, or lies where none belongs.
    private static func unionName(_ member: MemberName) -> UnionName? {
        guard let name = UnionName(Array(member.parts.file.utf8)),
            path(name) == member.bytes
        else { return nil }
        return name
    }
}

extension VaultFile {
    /// The branch index in the file, opened with the key of a store of the same vault; nil where the file has none.
    ///
    /// - Throws: `StoreError.damaged`, and what decoding throws.
    package func branchIndex(_ store: BareStore) throws -> BranchIndex? {
        guard let name = MemberName(Array("bare/indexes/\(store.ids.branchIndex)".utf8)),
            let entry = entry(name)
        else { return nil }
        do {
            return try BranchIndex.decode(
                store.cipher.open(read(entry), limit: BranchIndex.limit))
        } catch let error as EnvelopeError {
            throw StoreError.damaged(subject: name.text, reason: error)
        }
    }

    /// Writes the file again with another header: its members as they are.
    package func rewrap(
        header: [UInt8], to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var zip = ZipWriter(sink)
        try header.withUnsafeBytes { try zip.add(StoredZip.headerNameBytes, $0) }
        try forEachMember { name, bytes, _ in try zip.add(name.bytes, bytes) }
        try zip.finish()
    }
}
