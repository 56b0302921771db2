import Encodings

/// What a device remembers of a vault outside the file: the header that it verified last, whole, and the fingerprint.
///
/// An older valid file cannot be told from the file alone; only from this.
///
/// - Source: docs/vault-file.md, "Memory".
package struct RememberedVault {
    package let header: VaultHeader
    /// 32 bytes.
    package let fingerprint: [UInt8]

    /// How far a serial may be ahead of what is known.
    package static let largestJump = 1 << 32

    package init(header: VaultHeader, fingerprint: [UInt8]) {
        self.header = header
        self.fingerprint = fingerprint
    }

    /// Compares a file whose code is verified with what is known.
    ///
    /// - Throws: `VaultFileError.altered`.
    func check(_ file: VaultFile, fingerprint: [UInt8]) throws {
        guard fingerprint == self.fingerprint else {
            throw VaultFileError.altered(path: file.path, .fingerprint)
        }
        let (ahead, isFar) = file.header.serial.subtractingReportingOverflow(header.serial)
        guard !isFar, ahead <= RememberedVault.largestJump else {
            throw VaultFileError.altered(path: file.path, .serial)
        }
    }

    /// Whether a lock of the file is another than the one known under its id.
    package func contradicts(_ lock: LockList, id: [UInt8]) -> Bool {
        guard let known = header.lockList.lock(id), let found = lock.lock(id) else { return false }
        return known != found
    }

    /// The locks that a writer goes on from: those known, joined with the file's.
    ///
    /// A list that differs from the one known counts only where the owner's code proves it; else the known one stays,
    /// and the second value says that the file's was passed over.
    package func joined(with file: VaultHeader, owner: OwnerKey?) -> (LockJoin, isPassedOver: Bool)
    {
        if file.lockList == header.lockList { return (LockJoin([file.lockList]), false) }
        guard let owner, owner.proves(file) else {
            return (LockJoin([header.lockList]), true)
        }
        return (LockJoin([file.lockList], remembered: header.lockList), false)
    }
}
