import Encodings
import VaultKeys

extension Lock {
    /// The longest line of a lock that is read, in bytes.
    package static let longestLine = 65_536

    /// Reads a lock that travels alone: one line, its line feed included, in canonical form.
    ///
    /// - Returns: the lock, and the vault that it says it belongs to.
    package static func read(
        line: [UInt8]
    ) throws(LockError) -> (lock: Lock, vaultID: [UInt8]) {
        let document: JSONValue
        do throws(CanonicalJSONError) {
            document = try CanonicalJSON.read(line)
        } catch {
            let isSeveral = line.dropLast().contains(0x0A)
            throw isSeveral ? .severalLines : .noLock
        }
        guard case .string(let format)? = document["format"], format.isEqual(to: "sgvault"),
            let version = document["version"]?.integer
        else { throw .noLock }
        guard version == 1 else { throw .unknownVersion(version) }
        guard let lock = document["lock"].map({ Lock($0) }), lock.hasForm,
            case .string(let vaultID)? = document["vault_id"], VaultID(vaultID) != nil
        else { throw .noLock }
        return (lock, vaultID)
    }
}
