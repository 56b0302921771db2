import Cryptography
import Encodings
import FileSystem
package import Objects
import SecretMemory
package import Store
package import VaultKeys

/// Why a device cannot work in a store.
package enum DeviceError: Error {
    /// A bare store: no device's own folder stands beside it.
    case noWorkingCopy(path: String)
    /// The copy was made to be read only.
    case readOnly(path: String)
    case damagedConfiguration(path: String)
    /// The index does not list this device's branch.
    case noBranch(id: [UInt8])
    /// The branch that this device's branch tracks is not in the index, or is no named one.
    case noTrackedBranch(id: [UInt8])
    /// The file with this device's private key is not there, or holds another key.
    case noSigningKey(path: String)
    /// This device and the shared branch each have commits that the other has not.
    case diverged(device: ObjectID, shared: ObjectID)
    /// A working file that would be written over holds changes of its own.
    case changedFile(path: String)
    /// A vault, or a bare store, is there already.
    case vaultExists(path: String)
    /// The vault was never in a file, so there are no locks.
    case noVaultFile(id: String)
    /// The serial of the file can rise no more.
    case lastSerial
}

/// A device's own copy of a vault: the store, and beside it what never leaves the device.
///
///     <root>/.sg_vault/bare/…     the store
///     <root>/.sg_vault/local/…    the keys of this device, its branch, its settings
///     <root>/<files>              what is checked out, if anything is
///
/// - Source: docs/vault-format.md, "Working copy".
package struct WorkingCopy {
    /// The folder that holds `.sg_vault`.
    package let root: String
    package let local: String
    /// This device's branch; nil in a copy that is read only.
    package let branchID: [UInt8]?
    /// Whether files that are not there count as not fetched, rather than as deleted.
    package let isSparse: Bool
    /// Whether the copy remembers a head of a remote: then the shared branch says what is there.
    ///
    /// That an address is known says nothing: sgit writes one into every copy that it looks at.
    package let hasRemote: Bool
    package let isReadOnly: Bool

    /// The largest file of settings, in bytes.
    private static let limit = 1 << 20
    /// The largest note of checked out paths, in bytes.
    private static let largestNote = 1 << 28

    /// The copy that a store belongs to; nil for a bare store.
    package static func find(at layout: StoreLayout) throws -> WorkingCopy? {
        let ending = "/.sg_vault/bare"
        guard let bare = Folder.canonical(layout.bare), bare.hasSuffix(ending) else { return nil }
        let root = String(bare.dropLast(ending.utf8.count))
        let local = root + "/.sg_vault/local"
        guard Folder.exists(local) else { return nil }
        let folder: Folder
        do throws(FileError) {
            folder = try Folder(local)
        } catch {
            // Another person's device: the store can still be read with a key of one's own.
            guard case .system(_, _, let code) = error, FileError.isForbidden(code) else {
                throw error
            }
            return nil
        }
        guard try folder.contains("config.json") else { return nil }
        return try WorkingCopy(folder, root: root.isEmpty ? "/" : root)
    }

    private init(_ folder: Folder, root: String) throws {
        local = folder.path
        self.root = root
        let damaged = DeviceError.damagedConfiguration(path: local + "/config.json")
        let document: JSONValue
        do {
            document = try JSONReader.read(
                folder.read("config.json", limit: WorkingCopy.limit)[...])
        } catch is JSONError {
            throw damaged
        }
        guard case .object = document else { throw damaged }
        switch document["my_branch_id"] {
        case .string(let stored):
            let id = DocumentRules.normalized(stored)
            guard DocumentRules.isBranchID(id) else { throw damaged }
            branchID = id
        case .null, nil: branchID = nil
        default: throw damaged
        }
        switch document["sparse"] {
        case .bool(let value): isSparse = value
        case .null, nil: isSparse = false
        default: throw damaged
        }
        let remembersHead: Bool
        if case .string(let head)? = document["last_remote_head"], !head.isEmpty {
            remembersHead = true
        } else {
            remembersHead = try folder.contains("remote_heads.json")
        }
        hasRemote = remembersHead
        let isMarked = try folder.contains("clone_mode.json")
        isReadOnly = isMarked || document["mode"] == .text("read_only") || branchID == nil
    }

    /// Where the device keeps the vault key; nil where it does not keep it.
    package func vaultKeyFile() throws -> String? {
        try Folder(local).contains("vault_key") ? local + "/vault_key" : nil
    }

    /// The key of a copy that only reads; nil where there is none.
    ///
    /// - Throws: `DeviceError.damagedConfiguration`.
    package func keptReadKey() throws -> ReadKey? {
        let folder = try Folder(local)
        guard try folder.contains("clone_mode.json") else { return nil }
        let damaged = DeviceError.damagedConfiguration(path: local + "/clone_mode.json")
        let bytes = try folder.read("clone_mode.json", limit: WorkingCopy.limit)
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(bytes[...])
        } catch {
            throw damaged
        }
        guard case .string(let id)? = document["vault_id"], let vaultID = VaultID(id),
            case .string(let digits)? = document["read_key"], digits.count == 64,
            let bytes = Hex.decode(digits)
        else { throw damaged }
        let secret = SecretBytes(count: bytes.count) { target in
            target.copyBytes(from: bytes)
            return target.count
        }
        return ReadKey(secret: secret, vaultID: vaultID)
    }

    /// Keeps the vault key on this device, or keeps it no longer.
    package func keep(_ key: VaultKey?) throws {
        let folder = try Folder(local)
        if let key {
            try folder.replace("vault_key", with: KeyString.vaultKey(key).text)
        } else {
            try folder.remove("vault_key")
        }
        try folder.sync()
    }

    /// The paths that sgit notes as checked out of a sparse copy; nil without such a note, when sgit takes every file
    /// that is not there for deleted.
    func checkedOutPaths() throws -> Set<[UInt8]>? {
        let folder = try Folder(local)
        guard try folder.contains("checkout.json") else { return nil }
        do {
            let document = try JSONReader.read(
                folder.read("checkout.json", limit: WorkingCopy.largestNote)[...])
            guard document["version"]?.integer == 1, let paths = document["paths"]?.elements else {
                return nil
            }
            return Set(paths.compactMap { if case .string(let path) = $0 { path } else { nil } })
        } catch is JSONError {
            return nil
        }
    }

    /// The device's private key, which is called by the id of its public one.
    func signingKey(_ keyID: [UInt8], _ publicKey: P256.PublicKey?) throws -> P256.PrivateKey {
        let name = String(decoding: keyID, as: UTF8.self) + ".pem"
        let path = local + "/" + name
        let pem: SecretBytes
        do throws(FileError) {
            pem = try Folder(local).readSecret(name, limit: WorkingCopy.limit)
        } catch {
            guard case .notFound = error else { throw error }
            throw DeviceError.noSigningKey(path: path)
        }
        guard let key = P256.PrivateKey(pem: pem), key.publicKey.pem == publicKey?.pem else {
            throw DeviceError.noSigningKey(path: path)
        }
        return key
    }
}
