package import Cryptography
import FileSystem
import Objects

/// A store whose refs, index and keys only this process may change, as long as the value lives.
///
/// Every change goes through it: what is read under the hold is what the change is made on. sgit takes no hold, so
/// what was read is read again right before it is replaced.
package final class StoreHold {
    let store: BareStore
    let random: RandomBytes
    private let hold: DirectoryHold

    /// - Parameter runtimeFolder: `$XDG_RUNTIME_DIR`, for a file system that knows no holds.
    /// - Throws: `FileError.held`, and what `BareStore.gateForWriting` throws.
    package init(on store: BareStore, random: RandomBytes, runtimeFolder: String?) throws {
        self.store = store
        self.random = random
        hold = try DirectoryHold(on: store.layout.bare, runtimeFolder: runtimeFolder)
        store.forget()
        _ = try store.gateForWriting()
    }

    /// Seals and writes one of the small files, whole or not at all, and flushes it and its folder.
    func write(_ plaintext: [UInt8], as name: String, in part: StoreLayout.Part) throws {
        let folder = try open(part)
        try folder.replace(name, with: seal(plaintext))
        try folder.sync()
    }

    /// Opens a part, and clears away what a writer that was killed left there.
    func open(_ part: StoreLayout.Part) throws -> Folder {
        let folder = try store.layout.open(part)
        try folder.removeLeftovers()
        return folder
    }

    func seal(_ plaintext: [UInt8]) -> [UInt8] {
        store.cipher.seal(plaintext, nonce: random.bytes(AEAD.nonceCount))
    }
}
