import CommandInterface
import Devices
import Locks
import Plumbing
import SecretMemory
import Unlocking
import VaultFile
import VaultKeys

/// The key of a vault of this device: as a call gives it, as the device keeps it, or as a lock gives it.
enum KeptKey {
    /// - Throws: `KeyOptionsError`, `OpeningError`, `LockError`, `PersonError`, `SecretOptionsError`.
    static func open(
        _ vault: DeviceVault, _ call: Invocation
    ) throws -> (readKey: ReadKey, key: KeyString) {
        let key = try given(vault, call)
        guard key.vaultID.bytes == vault.id.bytes else {
            throw VaultFileError.foreignKey(path: vault.name)
        }
        return (key.readKey(), key)
    }

    /// Whether nobody need be asked, and no lock be opened.
    static func isAtHand(_ vault: DeviceVault, _ call: Invocation) throws -> Bool {
        if try vaultChoice.store.key.isGiven(call) || vaultChoice.secret.isGiven(call) {
            return true
        }
        let copy = try vault.copy()
        return try copy.vaultKeyFile() != nil || copy.keptReadKey() != nil
    }

    private static func given(_ vault: DeviceVault, _ call: Invocation) throws -> KeyString {
        let options = vaultChoice.store.key
        if let key = try options.givenKey(call) { return key }
        let offered = try vaultChoice.secret.offered(call)
        guard let copy = try WorkingCopy.find(at: vault.layout()) else {
            throw DeviceError.damagedConfiguration(path: vault.root)
        }
        // A helper alone may be there for a new lock.
        if offered?.content == nil {
            if let path = try copy.vaultKeyFile() { return try options.key(inFile: path, call) }
            if let key = try copy.keptReadKey() { return .readKey(key) }
        }
        let path = vault.record.stores.first?.path ?? vault.name
        guard let remembered = vault.record.remembered else { throw KeyOptionsError.noKey }
        let locked = LockedVault(path: path, remembered.header)
        let person = Person(call)
        defer { person.endLine() }
        return try locked.open(offered, person, call).key
    }
}

extension KeyString {
    /// The key that reads; of a vault key it costs one PBKDF2.
    func readKey() -> ReadKey {
        switch self {
        case .readKey(let key): key
        case .vaultKey(let key): key.readKey()
        }
    }
}
