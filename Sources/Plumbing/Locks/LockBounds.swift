/// What a lock may ask of whoever opens it, and must ask of whoever guesses; the same for reading and for writing.
///
/// They are looked at before any memory is taken.
/// - Source: docs/vault-file.md, "Locks".
package enum LockBounds {
    /// In KiB.
    package static let argon2idMemory = 19_456...1_048_576
    package static let argon2idPasses = 1...10
    package static let argon2idLanes = 1...1
    /// Memory times passes.
    package static let argon2idWork = 38_912...4_194_304
    package static let scryptLogN = 16...20
    package static let scryptR = 8...8
    package static let scryptP = 1...4
    /// Of a modulus and so of what it encrypts, in bytes.
    package static let rsaCount = 256...1024
    /// A credential is filled up with zero bytes to a multiple of this, so that its length says little.
    package static let credentialUnit = 64
    /// In units.
    package static let credentialUnits = 1...15
    /// How many slow derivations one opening may try where no lock was named.
    package static let slowTries = 4
}
