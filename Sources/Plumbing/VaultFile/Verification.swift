import Cryptography
import Encodings
import FileSystem
import Objects
import Store
package import VaultKeys

extension VaultFile {
    /// What stands behind a verified file.
    package struct Verified {
        /// Whether the list of locks is the owner's: with a read key alone nobody can tell.
        package let locksAreProven: Bool
        /// 32 bytes that name the vault key.
        package let fingerprint: [UInt8]
    }

    /// Proves the header and everything in the file with the keys of the vault.
    ///
    /// - Parameters:
    ///   - owner: nil where only the read key is known. It is made only where it is needed.
    ///   - isProvenKey: whether a lock gave the key; then a code that does not fit is an alteration. A key that a
    ///     person gave may as well be wrong, and what the key names in the file tells which.
    ///   - remembered: what this device knows of the vault.
    /// - Throws: `VaultFileError`, `FileError`.
    @discardableResult
    package func verify(
        _ readKey: ReadKey, owner: OwnerKey?, isProvenKey: Bool = false,
        remembered: RememberedVault? = nil
    ) throws -> Verified {
        guard readKey.vaultID.bytes == header.vaultID else {
            throw VaultFileError.foreignKey(path: path)
        }
        guard isAuthentic(readKey) else {
            guard isProvenKey || isNamed(by: readKey) else {
                throw VaultFileError.foreignKey(path: path)
            }
            throw VaultFileError.altered(path: path, .header)
        }
        try checkForm()
        if let feature = header.requires.first {
            throw VaultFileError.requires(path: path, feature: feature)
        }
        let fingerprint = readKey.fingerprint()
        try remembered?.check(self, fingerprint: fingerprint)
        var locksAreProven = remembered?.header.lockList == header.lockList
        if !locksAreProven, let owner {
            guard owner.proves(header) else {
                throw VaultFileError.altered(path: path, .locks)
            }
            locksAreProven = true
        }
        try verifyContents(EnvelopeCipher(readKey))
        return Verified(locksAreProven: locksAreProven, fingerprint: fingerprint)
    }

    /// Whether the header's code fits the key.
    package func isAuthentic(_ readKey: ReadKey) -> Bool { HeaderCode.isRight(header, readKey) }

    /// Whether the file holds a ref or an index that this key gives its name.
    private func isNamed(by key: ReadKey) -> Bool {
        let ids = FileIDs(key)
        let names = [
            "refs/" + ids.mainRef, "refs/" + ids.firstCloneRef, "indexes/" + ids.branchIndex,
        ]
        return names.contains { name in
            MemberName(Array(("bare/" + name).utf8)).map { entry($0) != nil } ?? false
        } || header.heads.contains { $0.ref == ids.mainRef || $0.ref == ids.firstCloneRef }
    }

    /// The inventory against what is there, and every ref against the heads, in both directions.
    private func verifyContents(_ cipher: EnvelopeCipher) throws {
        var taking = Inventory.Taking()
        var unseen = Dictionary(
            header.heads.map { ($0.ref, $0.commit) }, uniquingKeysWith: { first, _ in first })
        try forEachMember { name, bytes, digest in
            taking.add(name, size: bytes.count, digest: digest)
            guard name.isInRefs else { return }
            guard let ref = name.ref, let listed = unseen.removeValue(forKey: ref),
                VaultFile.head(in: Array(bytes), cipher) == .some(listed)
            else {
                throw VaultFileError.altered(path: path, .head(ref: name.ref ?? name.parts.file))
            }
        }
        guard Inventory(taking) == header.inventory else {
            throw VaultFileError.altered(path: path, .contents)
        }
        if let ref = unseen.keys.min() { throw VaultFileError.altered(path: path, .head(ref: ref)) }
    }

    /// The commit in the sealed file of a ref; nil where it does not open or holds none of any form.
    static func head(in envelope: [UInt8], _ cipher: EnvelopeCipher) -> ObjectID?? {
        guard envelope.count <= Refs.limit + EnvelopeLayout.overhead + EnvelopeLayout.magicCount
        else { return nil }
        do {
            return try .some(Refs.decode(cipher.open(envelope, limit: Refs.limit)))
        } catch {
            return nil
        }
    }
}
