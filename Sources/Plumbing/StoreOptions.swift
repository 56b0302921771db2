package import CommandInterface
import Objects
package import Store
import VaultKeys

/// Which store a tool works on, and with which key.
///
/// Declared once for all tools.
package struct StoreOptions: Sendable {
    private let store = Option(
        nil, "store", "dir", "the store: a bare folder, or one that holds it", completion: .folders,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    private let key = KeyOptions()

    package init() {}

    package var elements: UsageElement { .group([.any(store), key.elements]) }

    /// Opens the store with its key.
    ///
    /// Nothing is read from the store yet; a vault key costs one PBKDF2.
    package func open(_ call: Invocation) throws -> OpenStore {
        let layout = try layout(call)
        guard !layout.hasPacks else { throw StoreOptionsError.packs(path: layout.bare) }
        let readKey =
            switch try key.key(call) {
            case .readKey(let key): key
            case .vaultKey(let key): key.readKey()
            }
        return OpenStore(try BareStore(layout, cipher: EnvelopeCipher(readKey)), now: call.now)
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
