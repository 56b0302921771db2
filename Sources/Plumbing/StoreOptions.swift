package import CommandInterface
import FileSystem
import Objects
package import Store
package import VaultKeys

/// Which store a tool works on, and with which key.
///
/// Declared once for all tools.
package final class StoreOptions: Sendable {
    package let store = Option(
        nil, "store", "dir", "the store: a bare folder, or one that holds it", completion: .folders,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    package let key = KeyOptions()

    package init() {}

    package var elements: UsageElement { .group([.any(store), key.elements]) }

    /// Opens the store with its key.
    ///
    /// Nothing is read from the store yet; a vault key costs one PBKDF2.
    ///
    /// - Parameter keptKeyFile: where a key is kept beside the store, for a call that names none.
    package func open(
        _ call: Invocation, keptKeyFile: (StoreLayout) throws -> String? = { _ in nil }
    ) throws -> OpenStore {
        try openKeeping(call, keptKeyFile: keptKeyFile).store
    }

    /// The same, with the key as it was given.
    package func openKeeping(
        _ call: Invocation, keptKeyFile: (StoreLayout) throws -> String? = { _ in nil }
    ) throws -> (store: OpenStore, key: KeyString) {
        let layout = try layout(call)
        try StoreOptions.checkObjects(of: layout)
        let given = try key.givenKey(call)
        let kept = try given == nil ? keptKeyFile(layout) : nil
        guard let found = try given ?? kept.map({ try key.key(inFile: $0, call) }) else {
            throw KeyOptionsError.noKey
        }
        let readKey =
            switch found {
            case .readKey(let key): key
            case .vaultKey(let key): key.readKey()
            }
        let store = OpenStore(
            try BareStore(layout, cipher: EnvelopeCipher(readKey)), now: call.now,
            runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
        return (store, found)
    }

    /// Where the store lies, for what works on its files and needs no key.
    package func files(_ call: Invocation) throws -> StoreLayout {
        let layout = try layout(call)
        try StoreOptions.checkObjects(of: layout)
        return layout
    }

    /// The store in a folder that is named beside the options.
    package static func files(in folder: String) throws -> StoreLayout {
        guard let layout = StoreLayout(at: folder) else {
            // Nothing of that name is said as such.
            _ = try Folder(folder)
            throw StoreOptionsError.noStore(path: folder)
        }
        try checkObjects(of: layout)
        return layout
    }

    private static func checkObjects(of layout: StoreLayout) throws(StoreOptionsError) {
        guard !layout.hasPacks else { throw .packs(path: layout.bare) }
    }

    /// The envelopes of the store, for what needs no key.
    package func envelopes(_ call: Invocation) throws -> LooseObjects {
        try LooseObjects(layout(call), cipher: nil)
    }

    /// `--store`, else `$SGIT_STORE`, else the nearest store from the current folder upward.
    private func layout(_ call: Invocation) throws -> StoreLayout {
        if let path = call[store] ?? call.environment("SGIT_STORE") {
            guard let layout = StoreLayout(at: path) else {
                throw StoreOptionsError.noStore(path: path)
            }
            return layout
        }
        guard let layout = call.currentFolder.flatMap(StoreLayout.nearest) else {
            throw StoreOptionsError.noStoreHere
        }
        return layout
    }
}

/// Why no store was opened.
package enum StoreOptionsError: Error {
    case noStore(path: String)
    case noStoreHere
    /// The objects lie in packs, which this release does not read.
    case packs(path: String)
}
