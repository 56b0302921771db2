import Cryptography
import FileSystem
import Objects
package import Store

/// Why a store was not packed.
package enum PackError: Error {
    /// A file changed between two looks.
    case changed(path: String)
    case tooManyMembers
    /// The header would be larger than one may be.
    case headerTooLarge
    case tooManyLocks
}

/// The files of a store, looked at once: their names, sizes, checksums and hashes.
///
/// Small files are kept; objects are read again when they are written, so memory stays at the largest one and the list.
package struct PackedStore {
    struct Member {
        let name: MemberName
        let size: Int
        let digest: SHA256Digest
        /// A sum that shows a change between two looks; it proves nothing.
        let trace: UInt64
        /// What is kept: the files that another writer changes in place.
        let bytes: [UInt8]?
    }

    /// In order of names.
    private(set) var members: [Member] = []
    /// The paths of files that a vault file cannot hold, below the `bare` folder.
    package private(set) var leftOut: [[UInt8]] = []
    /// Every ref with its commit, in order.
    package private(set) var heads: [VaultHeader.Head] = []
    private let bare: Folder
    private let room = ReadingRoom()

    private static let deepest = 3

    /// Looks at every file; the bytes of every object are checked against its name, and every ref is opened.
    ///
    /// - Throws: `StoreError`, `PackError`, `FileError`.
    package init(_ store: BareStore) throws {
        bare = try Folder(store.layout.bare)
        // Objects last: one that a ref names is there when the ref is.
        let items = try bare.items()
        for item in items where !item.name.elementsEqual("data".utf8) {
            try add(item, of: bare, [])
        }
        try readHeads(store)
        for item in items where item.name.elementsEqual("data".utf8) {
            try add(item, of: bare, [])
        }
        members.sort { $0.name < $1.name }
        guard members.count < StoredZip.maximumMembers else { throw PackError.tooManyMembers }
    }

    var inventory: Inventory {
        var taking = Inventory.Taking()
        for member in members {
            taking.add(member.name, size: member.size, digest: member.digest)
        }
        return Inventory(taking)
    }

    package func contains(_ name: MemberName) -> Bool {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low < members.count && members[low].name == name
    }

    package var count: Int { members.count }

    /// Writes the whole file: the header, then the store.
    ///
    /// - Throws: `PackError.changed`, and what the sink throws.
    package func write(
        header: [UInt8], to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var zip = ZipWriter(sink)
        try header.withUnsafeBytes { try zip.add(StoredZip.headerNameBytes, $0) }
        var folders: [[String]: Folder] = [:]
        for member in members {
            if let bytes = member.bytes {
                try bytes.withUnsafeBytes { try zip.add(member.name.bytes, $0) }
                continue
            }
            try read(member.name, &folders) { bytes in
                guard bytes.count == member.size, PackedStore.trace(bytes) == member.trace else {
                    throw PackError.changed(path: bare.path + member.name.text.dropFirst(4))
                }
                try zip.add(member.name.bytes, bytes)
            }
        }
        try zip.finish()
    }

    // MARK: -

    private mutating func add(
        _ item: Folder.Item, of folder: Folder, _ path: [UInt8]
    ) throws {
        let below = path + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + item.name
        let depth = path.isEmpty ? 0 : 1 + path.count { $0 == UInt8(ascii: "/") }
        guard MemberName.isPart(item.name),
            item.kind == .file ? depth > 0 : depth < PackedStore.deepest
        else {
            // What a writer that was killed left is nobody's.
            if !item.name.suffix(6).elementsEqual(PendingFile.ending.utf8) { leftOut.append(below) }
            return
        }
        let name = String(decoding: item.name, as: UTF8.self)
        switch item.kind {
        case .folder:
            let inner = try folder.folder(name)
            for item in try inner.items() { try add(item, of: inner, below) }
        case .file:
            guard let member = MemberName(Array("bare/".utf8) + below),
                !member.isInRefs || member.ref != nil
            else {
                leftOut.append(below)
                return
            }
            try add(member, name, of: folder)
        case .other: leftOut.append(below)
        }
    }

    private mutating func add(_ member: MemberName, _ name: String, of folder: Folder) throws {
        let entry = try folder.withContents(name, limit: StoredZip.largestMember, in: room) {
            bytes in
            let digest = SHA256.digest(bytes)
            if let object = member.object, !object.names(digest) {
                throw StoreError.nameMismatch(object)
            }
            return Member(
                name: member, size: bytes.count, digest: digest, trace: PackedStore.trace(bytes),
                bytes: member.object == nil && bytes.count <= 1 << 20 ? Array(bytes) : nil)
        }
        members.append(entry)
    }

    private mutating func readHeads(_ store: BareStore) throws {
        for member in members.sorted(by: { $0.name < $1.name }) {
            if let key = member.name.key {
                // A file that is no key must not take the place of one in the file that is replaced.
                _ = try store.keys.key(key)
            }
            guard let ref = member.name.ref else { continue }
            let content = try store.refs.read(ref)
            guard let bytes = member.bytes,
                VaultFile.head(in: bytes, store.cipher) == .some(content.head)
            else { throw PackError.changed(path: store.layout.refs + "/" + ref) }
            heads.append(VaultHeader.Head(ref: ref, commit: content.head))
        }
    }

    private func read(
        _ name: MemberName, _ folders: inout [[String]: Folder],
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let parts = name.parts
        var folder = bare
        if let opened = folders[parts.folders] {
            folder = opened
        } else {
            for part in parts.folders { folder = try folder.folder(part) }
            folders[parts.folders] = folder
        }
        try folder.withContents(parts.file, limit: StoredZip.largestMember, in: room, body)
    }

    private static func trace(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        // Four sums at once: one product need not wait for the one before.
        var sums = SIMD4<UInt64>(repeating: 0)
        let whole = bytes.count & ~31
        for place in stride(from: 0, to: whole, by: 32) {
            let words = bytes.loadUnaligned(fromByteOffset: place, as: SIMD4<UInt64>.self)
            sums = (sums &<< 5) &- sums &+ words
        }
        var sum = ((sums[0] &* 31 &+ sums[1]) &* 31 &+ sums[2]) &* 31 &+ sums[3]
        for byte in bytes[whole...] { sum = sum &* 31 &+ UInt64(byte) }
        return sum
    }
}
