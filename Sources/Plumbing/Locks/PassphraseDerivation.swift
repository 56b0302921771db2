import CSodium
package import Cryptography
import Encodings
package import SecretMemory

/// How 32 bytes are made of a passphrase, slowly.
///
/// - Source: docs/vault-file.md, "Locks".
package enum PassphraseDerivation: Equatable {
    /// Argon2id, version 0x13 (RFC 9106): memory in KiB, passes; one lane, since libsodium knows no more.
    case argon2id(memory: Int, passes: Int)
    /// scrypt (RFC 7914).
    case scrypt(logN: Int, r: Int, p: Int)

    /// What a new lock has.
    package static let argon2id = PassphraseDerivation.argon2id(memory: 262_144, passes: 3)
    package static let scrypt = PassphraseDerivation.scrypt(logN: 17, r: 8, p: 1)

    /// The one for a new lock, by the name of its function; nil for another name.
    @Sendable package static func ofName(_ name: [UInt8]) -> PassphraseDerivation? {
        if name.isEqual(to: "argon2id") { return .argon2id }
        return name.isEqual(to: "scrypt") ? .scrypt : nil
    }

    /// Reads the parameters of a lock, and takes none out of bounds.
    package init(of lock: Lock) throws(LockError) {
        func number(_ name: StaticString, in bounds: ClosedRange<Int>) throws(LockError) -> Int {
            guard let value = lock.parameters[name]?.integer, bounds.contains(value) else {
                throw .outOfBounds(id: lock.id, parameter: "\(name)")
            }
            return value
        }

        guard case .string(let name)? = lock.parameters["kdf"] else {
            throw .doesNotOpen(id: lock.id)
        }
        if name.isEqual(to: "argon2id") {
            let memory = try number("m_kib", in: LockBounds.argon2idMemory)
            let passes = try number("t", in: LockBounds.argon2idPasses)
            _ = try number("p", in: LockBounds.argon2idLanes)
            guard LockBounds.argon2idWork.contains(memory * passes) else {
                throw .outOfBounds(id: lock.id, parameter: "m_kib x t")
            }
            self = .argon2id(memory: memory, passes: passes)
        } else if name.isEqual(to: "scrypt") {
            self = .scrypt(
                logN: try number("log_n", in: LockBounds.scryptLogN),
                r: try number("r", in: LockBounds.scryptR),
                p: try number("p", in: LockBounds.scryptP))
        } else {
            throw .unusable(id: lock.id, name: name)
        }
    }

    /// The members of a lock's parameters that say it.
    var members: [JSONValue.Member] {
        switch self {
        case .argon2id(let memory, let passes):
            [
                .init("kdf", .text("argon2id")), .init("m_kib", .integer(memory)),
                .init("t", .integer(passes)), .init("p", .integer(1)),
            ]
        case .scrypt(let logN, let r, let p):
            [
                .init("kdf", .text("scrypt")), .init("log_n", .integer(logN)),
                .init("r", .integer(r)), .init("p", .integer(p)),
            ]
        }
    }

    /// 32 bytes; takes as much memory and time as the parameters say.
    ///
    /// - Parameter salt: 16 bytes.
    package func derive(
        _ passphrase: SecretBytes, salt: [UInt8]
    ) throws(OutOfMemory) -> SecretBytes {
        switch self {
        case .scrypt(let logN, let r, let p):
            try Scrypt.derive(passphrase, salt: salt, logN: logN, r: r, p: p)
        case .argon2id(let memory, let passes):
            try PassphraseDerivation.argon2id(
                passphrase, salt: salt, memory: memory, passes: passes)
        }
    }

    private static func argon2id(
        _ passphrase: SecretBytes, salt: [UInt8], memory: Int, passes: Int
    ) throws(OutOfMemory) -> SecretBytes {
        precondition(salt.count == crypto_pwhash_SALTBYTES)
        // libsodium looks here at what the processor can do; without it the derivation takes half as long again.
        let isReady = sodium_init() >= 0
        return try SecretBytes(count: 32) { output throws(OutOfMemory) in
            let status = passphrase.withBytes { passphrase -> Int32 in
                guard let output = output.baseAddress, let start = passphrase.baseAddress else {
                    return -1
                }
                return crypto_pwhash(
                    output.assumingMemoryBound(to: UInt8.self), 32,
                    start.assumingMemoryBound(to: CChar.self), UInt64(passphrase.count), salt,
                    UInt64(passes), memory << 10, crypto_pwhash_ALG_ARGON2ID13)
            }
            guard isReady, status == 0 else { throw OutOfMemory(wanted: memory << 10) }
            return 32
        }
    }
}
