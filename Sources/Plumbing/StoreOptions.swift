package import CommandInterface
import Objects
package import Store
import VaultKeys

/// Which store a tool works on, and with which key.
///
/// Declared once for all tools.
package struct StoreOptions: Sendable {
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
        let layout = try layout(call)
        guard !layout.hasPacks else { throw StoreOptionsError.packs(path: layout.bare) }
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
        return OpenStore(
            try BareStore(layout, cipher: EnvelopeCipher(readKey)), now: call.now,
            runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
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
