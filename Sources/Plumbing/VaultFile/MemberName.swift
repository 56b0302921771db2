import Encodings
package import Objects

/// The name of a file of a store inside a vault file: `bare/`, one to three folders in all, and a name.
///
/// Lower-case ASCII only, no part begins with a dot: no name leads out of the folder, and no two are one on a file
/// system that folds case.
///
/// - Source: docs/vault-file.md, "The zip".
package struct MemberName: Hashable, Comparable {
    package let bytes: [UInt8]

    /// Nil unless the bytes match `^bare/([a-z0-9][a-z0-9._-]{0,127}/){1,3}[a-z0-9][a-z0-9._-]{0,127}$`.
    package init?(_ bytes: [UInt8]) {
        let root: StaticString = "bare/"
        guard bytes.prefix(5).isEqual(to: root) else { return nil }
        var parts = 0
        var start = 5
        while start <= bytes.count {
            let rest = bytes[start...]
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
            guard MemberName.isPart(bytes[start..<end]) else { return nil }
            parts += 1
            start = end + 1
        }
        guard (2...4).contains(parts) else { return nil }
        self.bytes = bytes
    }

    /// The name of a member of a directory that was read, which has no other names.
    init(ofEntry entry: ZipEntry) { bytes = entry.name }

    /// Whether it can be the name of a file or folder of the store.
    package static func isPart(_ part: some Collection<UInt8>) -> Bool {
        guard (1...128).contains(part.count), let first = part.first,
            first.isDigit || first.isLowercase
        else { return false }
        return part.allSatisfy {
            $0.isDigit || $0.isLowercase || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D
        }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The folders below `bare`, and the name of the file.
    package var parts: (folders: [String], file: String) {
        var parts = bytes.dropFirst(5).split(separator: UInt8(ascii: "/"))
            .map { String(decoding: $0, as: UTF8.self) }
        let file = parts.removeLast()
        return (parts, file)
    }

    /// Whether it lies in a folder where every store has a file: below `data/` and its like there are no folders.
    var isBelowAFile: Bool {
        let folders = parts.folders
        return folders.count > 1 && ["data", "refs", "indexes", "keys"].contains(folders[0])
    }

    /// The object that it is, for a file of `bare/data`.
    package var object: ObjectID? {
        let folder: StaticString = "bare/data/"
        guard bytes.prefix(10).isEqual(to: folder) else { return nil }
        return ObjectID(bytes[10...])
    }

    /// The id of the ref that it is, for a file of `bare/refs`; nil for any other.
    package var ref: String? {
        let folder: StaticString = "bare/refs/"
        guard bytes.prefix(10).isEqual(to: folder),
            DocumentRules.isRefID(Array(bytes[10...]))
        else { return nil }
        return String(decoding: bytes[10...], as: UTF8.self)
    }

    /// The id of the public key that it is, for a file of `bare/keys`; nil for any other.
    package var key: [UInt8]? {
        let folder: StaticString = "bare/keys/"
        guard bytes.prefix(10).isEqual(to: folder),
            DocumentRules.isKeyID(Array(bytes[10...]))
        else { return nil }
        return Array(bytes[10...])
    }

    /// Whether it lies in the folder of refs.
    package var isInRefs: Bool {
        let folder: StaticString = "bare/refs/"
        return bytes.prefix(10).isEqual(to: folder)
    }

    package static func < (one: MemberName, other: MemberName) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
