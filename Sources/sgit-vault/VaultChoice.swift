import CommandInterface
import Devices
import FileSystem
import Plumbing
import Store
import Unlocking
import VaultFile
import VaultKeys

/// Which vault a command works on, and with what it is opened.
struct VaultChoice: Sendable {
    let store = StoreOptions()
    let secret = SecretOptions()
    private let vault = Option(
        nil, "vault", "vault", "the vault: its file, its id or its name", completion: .files,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })

    /// For a command that opens the vault.
    var elements: UsageElement {
        .group([.atMostOne(vault, store.store), store.key.elements, secret.elements])
    }

    /// For a command that needs no key.
    var keyless: UsageElement { .any(vault) }

    /// Where the vault of a call lies.
    enum Place {
        case device(DeviceVault)
        /// A store as the plumbing finds it.
        case store
    }

    /// - Throws: `VaultChoiceError`, `FileError`.
    func place(_ call: Invocation) throws -> Place {
        if call[store.store] != nil { return .store }
        let home = try DeviceHome.ofPerson(call)
        if let name = call[vault] ?? call.environment("SGIT_VAULT") {
            return .device(try self.vault(named: name, in: home, call))
        }
        if call.environment("SGIT_STORE") != nil { return .store }
        if let folder = call.currentFolder {
            if StoreLayout.nearest(from: folder) != nil { return .store }
            let canonical = Folder.canonical(folder)
            let here = try home.vaults().filter { vault in
                vault.record.stores.contains {
                    Folder.canonical(FileTarget.folder(of: $0.path)) == canonical
                }
            }
            if here.count == 1 { return .device(here[0]) }
            guard here.isEmpty else { throw VaultChoiceError.several(here.map(VaultChoice.line)) }
        }
        let all = try home.vaults()
        guard all.count < 2 else { throw VaultChoiceError.several(all.map(VaultChoice.line)) }
        guard let only = all.first else { throw VaultChoiceError.none }
        return .device(only)
    }

    /// The vault of this device that a command without a store can only mean.
    func deviceVault(_ call: Invocation) throws -> DeviceVault {
        guard case .device(let vault) = try place(call) else {
            throw VaultChoiceError.noDeviceVault
        }
        return vault
    }

    /// The locks of the vault that a call means: as this device remembers them, or as a file has them that it does not
    /// know.
    func locks(_ call: Invocation) throws -> LockedVault {
        let vault: DeviceVault
        do {
            vault = try deviceVault(call)
        } catch VaultChoiceError.notOpened(let path) {
            return LockedVault(path: path, try VaultFile(path).header)
        }
        guard let remembered = vault.record.remembered else {
            throw DeviceError.noVaultFile(id: vault.id.text)
        }
        return LockedVault(path: vault.name, remembered.header)
    }

    private func vault(
        named name: String, in home: DeviceHome, _ call: Invocation
    ) throws -> DeviceVault {
        let vaults = try home.vaults()
        let path = try? StorePath.absolute(name, call)
        let found = vaults.filter { vault in
            vault.id.text == name || vault.record.stores.contains { $0.path == path }
        }
        // Where a file has given way to another vault's, what it is now decides.
        if found.count == 1 { return found[0] }
        let named = vaults.filter { $0.name == name }
        if named.count == 1 { return named[0] }
        guard named.isEmpty else { throw VaultChoiceError.several(named.map(VaultChoice.line)) }
        guard StoredFile.identity(at: name) != nil else {
            throw VaultChoiceError.unknown(name: name)
        }
        let file = try VaultFile(name)
        guard let id = VaultID(file.header.vaultID), let vault = try home.vault(id) else {
            throw VaultChoiceError.notOpened(path: name)
        }
        return vault
    }

    private static func line(_ vault: DeviceVault) -> String {
        let path = vault.record.stores.first.map { " (\($0.path))" } ?? ""
        return "\(vault.name)  \(vault.id.text)\(path)"
    }
}

/// Why it is not clear which vault is meant.
enum VaultChoiceError: Error {
    case none
    /// A line each.
    case several([String])
    case unknown(name: String)
    /// A vault file that this device does not know.
    case notOpened(path: String)
    /// A store in a folder has no locks and no vault file.
    case noDeviceVault
}

extension DeviceHome {
    /// `$SGIT_HOME`, else `$XDG_DATA_HOME/sgit`, else `~/.local/share/sgit`.
    static func ofPerson(_ call: Invocation) throws -> DeviceHome {
        let path =
            call.environment("SGIT_HOME") ?? call.environment("XDG_DATA_HOME").map { $0 + "/sgit" }
            ?? call.environment("HOME").map { $0 + "/.local/share/sgit" }
        guard let path else { throw StorePathError.noHome }
        return DeviceHome(try StorePath.absolute(path, call))
    }
}

/// The path of a store as it is remembered.
enum StorePath {
    /// Absolute, its folder without links and dots where it is there; a link at the end stays.
    static func absolute(_ path: String, _ call: Invocation) throws -> String {
        var whole = path
        if !path.hasPrefix("/") {
            guard let folder = call.currentFolder else { throw StorePathError.noFolder(path: path) }
            whole = folder + "/" + path
        }
        let folder = FileTarget.folder(of: whole)
        let name = whole.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
        let parent = Folder.canonical(folder) ?? folder
        return (parent == "/" ? "" : parent) + "/" + String(decoding: name, as: UTF8.self)
    }

    /// What a store is called by its path: its name without the ending.
    static func name(of path: String) -> String {
        let name = String(path.dropFirst(FileTarget.folder(of: path).count)).drop { $0 == "/" }
        let ending = ".sgvault"
        return name.hasSuffix(ending) && name.count > ending.count
            ? String(name.dropLast(ending.count)) : String(name)
    }
}

enum StorePathError: Error {
    case noHome
    case noFolder(path: String)
}
