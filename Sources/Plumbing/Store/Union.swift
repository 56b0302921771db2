import Cryptography
import FileSystem

/// Why copies of objects and keys are not joined, or what is said about one.
package enum UnionError: Error {
    /// A copy is not what its name says.
    case damagedCopy(UnionName, source: String, reason: any Error)
    /// No copy that was found is.
    case noSoundCopy(UnionName)
    /// Two copies are sound and not the same: possible for keys, and for objects of 12 hex digits.
    case copiesDiffer(UnionName, one: String, other: String)
    /// A copy is not the one that was looked at before.
    case changed(UnionName, source: String)
}

/// The objects and public keys of a store and of other sources together.
///
/// All copies are looked at first, those of the store too: only when no two sound copies of one name differ is anything
/// written. A damaged copy yields to a sound one. Refs and indexes differ by nature and are no part of it. Memory: a
/// digest a name, and the largest object.
package struct Union {
    /// What the store has no sound copy of and a source has, in order.
    package let additions: [UnionName]
    /// The copies that are damaged (`UnionError.damagedCopy`), in the order they were looked at: the store's first.
    package let damage: [UnionError]
    /// What no copy that was found of is sound, in order.
    package let lost: [UnionName]

    private let layout: StoreLayout
    private let own: StoreFiles
    private let sources: [any UnionSource]
    private let copies: [UnionName: Copy]

    /// A sound copy.
    private struct Copy {
        let digest: SHA256Digest
        /// Which source has it; nil for the store itself.
        let source: Int?
    }

    /// Looks at all copies of all, and changes nothing.
    ///
    /// - Throws: `UnionError.copiesDiffer`, and what a source throws.
    package init(of sources: [any UnionSource], into layout: StoreLayout) throws {
        let own = StoreFiles(layout, name: layout.bare)
        var copies: [UnionName: Copy] = [:]
        var damage: [UnionError] = []
        var damaged: Set<UnionName> = []

        func look(at source: any UnionSource, _ number: Int?) throws {
            for name in try source.names() {
                let digest: SHA256Digest
                switch try Union.look(at: name, in: source) {
                case .success(let sound): digest = sound
                case .failure(let reason):
                    damage.append(.damagedCopy(name, source: source.name, reason: reason))
                    damaged.insert(name)
                    continue
                }
                guard let known = copies[name] else {
                    copies[name] = Copy(digest: digest, source: number)
                    continue
                }
                guard known.digest == digest else {
                    let one = known.source.map { sources[$0].name } ?? own.name
                    throw UnionError.copiesDiffer(name, one: one, other: source.name)
                }
            }
        }
        try look(at: own, nil)
        for (number, source) in sources.enumerated() { try look(at: source, number) }

        self.layout = layout
        self.own = own
        self.sources = sources
        self.copies = copies
        self.damage = damage
        additions = copies.compactMap { $0.value.source == nil ? nil : $0.key }.sorted()
        lost = damaged.filter { copies[$0] == nil }.sorted()
    }

    /// Brings what the store lacks into it: flushed together, each file whole under its name or not at all.
    ///
    /// Every copy is checked once more on the way. What was there damaged is replaced.
    /// - Parameter runtimeFolder: `$XDG_RUNTIME_DIR`, for a file system that knows no holds.
    /// - Throws: `UnionError.changed`, `FileError`, and what a source throws; what was written before stays, and is sound.
    package func write(runtimeFolder: String?) throws {
        guard !additions.isEmpty else { return }
        let hold = try DirectoryHold(on: layout.bare, runtimeFolder: runtimeFolder)
        defer { withExtendedLifetime(hold) {} }
        for part in [StoreLayout.Part.keys, .objects] {
            var rest = additions.filter { $0.part == part }[...]
            guard !rest.isEmpty else { continue }
            let folder = try layout.open(part)
            while !rest.isEmpty {
                let batch = rest.prefix(PendingFile.largestBatch)
                try write(batch, into: folder)
                rest = rest.dropFirst(batch.count)
            }
        }
    }

    // MARK: -

    private func write(_ names: ArraySlice<UnionName>, into folder: Folder) throws {
        let files = try names.map { name in
            let file = try PendingFile(name.text, in: folder)
            try file.write(copy(of: name))
            return file
        }
        try folder.flush(files)
        for (name, file) in zip(names, files) { try place(file, as: name, in: folder) }
        try folder.sync()
    }

    /// The bytes of the sound copy that was found.
    private func copy(of name: UnionName) throws -> [UInt8] {
        guard let found = copies[name], let number = found.source else {
            preconditionFailure("what the store has is not written")
        }
        let bytes = try sources[number].bytes(of: name)
        guard let digest = try? name.digest(ofSound: bytes), digest == found.digest else {
            throw UnionError.changed(name, source: sources[number].name)
        }
        return bytes
    }

    /// Gives a flushed file its name, in place of a damaged copy.
    private func place(_ file: PendingFile, as name: UnionName, in folder: Folder) throws {
        if try file.take() { return }
        // What is there now may have come, or been healed, since it was looked at.
        switch try Union.look(at: name, in: own) {
        case .success(let digest):
            guard digest == copies[name]?.digest else {
                throw UnionError.changed(name, source: own.name)
            }
        case .failure(StoreError.damaged(_, FileError.notRegular)):
            // A link or pipe has no bytes to keep.
            try folder.remove(name.text)
            try file.replace()
        case .failure: try file.replace()
        }
    }

    /// The digest of a sound copy, or why it is damaged.
    private static func look(
        at name: UnionName, in source: any UnionSource
    ) throws -> Result<SHA256Digest, any Error> {
        do {
            return .success(try name.digest(ofSound: source.bytes(of: name)))
        } catch let error as StoreError {
            switch error {
            case .nameMismatch, .damaged, .tooLarge: return .failure(error)
            default: throw error
            }
        }
    }
}
