package import Cryptography

/// Why a lock does not open, or none is made.
package enum LockError: Error, Equatable {
    /// The bytes are no lock that travels alone: one line in canonical form.
    case noLock
    case severalLines
    /// Of another version of the format.
    case unknownVersion(Int)
    /// Its kind, or the key derivation of its passphrase, is none of this release.
    case unusable(id: [UInt8], name: [UInt8])
    /// A parameter would take more than a reader gives, or less than a writer may.
    case outOfBounds(id: [UInt8], parameter: String)
    /// The secret does not fit, or the lock is damaged: nobody can tell which.
    case doesNotOpen(id: [UInt8])
    case outOfMemory(id: [UInt8], OutOfMemory)
    /// A read key cannot grant the vault key.
    case readKeyGrantsNoVault
    /// A vault key whose passphrase no lock can hold.
    case unsealableKey
}
