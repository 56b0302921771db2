package import Cryptography
import Encodings
package import FileSystem
import Objects

/// Why a vault file cannot be taken for what it says it is.
package enum VaultFileError: Error {
    case damaged(path: String, ZipDamage)
    case badHeader(path: String, HeaderError)
    /// An object's bytes hash to another name.
    case nameMismatch(path: String, MemberName)
    /// It belongs to another vault, or the key is another one.
    case foreignKey(path: String)
    /// The key is right, and a code does not fit or the contents are not those that the header lists.
    case altered(path: String, Alteration)
    /// A feature that this release does not know.
    case requires(path: String, feature: [UInt8])

    package enum Alteration: Error, Equatable {
        case header
        case locks
        case contents
        /// A ref that the header does not list, lists with another commit, or that is not there.
        case head(ref: String)
        /// The device knows another vault under this id.
        case fingerprint
        /// The serial is further ahead of what this device knows than any number of writes could bring it.
        case serial
        /// A lock that this device knows has changed.
        case lock(id: [UInt8])
    }
}

/// A `.sgvault`: one file with a header and the files of a store.
///
/// Opening it checks its container and that the header is canonical. Nothing is proved before `verify`.
///
/// - Source: docs/vault-file.md, "Opening".
package final class VaultFile {
    package let zip: StoredZip
    package let header: VaultHeader
    package var path: String { zip.file.path }

    /// Opens the file at `path`; links are followed.
    ///
    /// - Throws: `VaultFileError`, `FileError`.
    package convenience init(_ path: String) throws {
        try self.init(StoredFile(path))
    }

    package init(_ file: StoredFile) throws {
        zip = try VaultFile.naming(file.path) { try StoredZip(file) }
        // `StoredZip` has no member before the header.
        let entry = zip.entries[0]
        guard entry.size <= VaultHeader.limit else {
            throw VaultFileError.badHeader(path: file.path, .tooLarge)
        }
        let zip = zip
        let bytes = try VaultFile.naming(file.path) { try zip.read(entry) }
        do throws(HeaderError) {
            header = try VaultHeader(bytes)
        } catch {
            throw VaultFileError.badHeader(path: file.path, error)
        }
    }

    /// The files of the store, in order.
    package var members: some RandomAccessCollection<(name: MemberName, entry: ZipEntry)> {
        zip.entries.dropFirst().lazy.map { (MemberName(ofEntry: $0), $0) }
    }

    /// The member of that name; nil where there is none.
    package func entry(_ name: MemberName) -> ZipEntry? {
        let entries = zip.entries
        var (low, high) = (1, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.lexicographicallyPrecedes(name.bytes) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < entries.count && entries[low].name == name.bytes ? entries[low] : nil
    }

    /// The bytes of a member, its checksum checked.
    package func read(_ entry: ZipEntry) throws -> [UInt8] {
        try VaultFile.naming(path) { try zip.read(entry) }
    }

    /// Lends every file of the store in order, its checksum and the name of an object checked.
    package func forEachMember(
        _ body: (MemberName, UnsafeRawBufferPointer, SHA256Digest) throws -> Void
    ) throws {
        try VaultFile.naming(path) {
            try zip.forEach { entry, bytes in
                // The header is no file of the store.
                guard entry.offset > 0 else { return }
                let name = MemberName(ofEntry: entry)
                let digest = SHA256.digest(bytes)
                if let object = name.object, !object.names(digest) {
                    throw VaultFileError.nameMismatch(path: path, name)
                }
                try body(name, bytes, digest)
            }
        }
    }

    /// Checks that the file is whole, without a key: every checksum, every object's name, the inventory, and that the
    /// header has its form.
    package func checkWholeness() throws {
        try checkForm()
        var taking = Inventory.Taking()
        try forEachMember { name, bytes, digest in
            taking.add(name, size: bytes.count, digest: digest)
        }
        guard Inventory(taking) == header.inventory else {
            throw VaultFileError.altered(path: path, .contents)
        }
    }

    package func checkForm() throws {
        do throws(HeaderError) {
            try header.checkForm()
        } catch {
            throw VaultFileError.badHeader(path: path, error)
        }
    }

    // MARK: -

    static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let damage as ZipDamage {
            throw VaultFileError.damaged(path: path, damage)
        }
    }
}
