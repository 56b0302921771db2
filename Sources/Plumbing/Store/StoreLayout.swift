import FileSystem

/// Where the files of a store lie below its `bare` folder.
///
/// - Source: docs/vault-format.md, "Directory layout".
package struct StoreLayout {
    /// The `bare` folder.
    package let bare: String

    package var objects: String { bare + "/data" }
    package var refs: String { bare + "/refs" }
    package var indexes: String { bare + "/indexes" }
    package var keys: String { bare + "/keys" }

    /// The part of a store that files of one kind lie in.
    package enum Part: String {
        case objects = "data"
        case refs = "refs"
        case indexes = "indexes"
        case keys = "keys"
    }

    /// Opens a part for writing; made where it is not there.
    func open(_ part: Part) throws(FileError) -> Folder {
        let bare = try Folder(bare)
        do throws(FileError) {
            // A link would lead the writing out of the store.
            return try bare.folder(part.rawValue)
        } catch {
            guard case .notFound = error else { throw error }
            return try bare.makeFolder(part.rawValue)
        }
    }

    /// The store in `folder`: a `bare` folder, or a folder that holds one; nil where it is neither.
    package init?(at folder: String) {
        let candidates = [folder + "/.sg_vault/bare", folder + "/bare", folder]
        guard let bare = candidates.first(where: StoreLayout.isBare) else { return nil }
        self.bare = bare
    }

    /// A bare store has a folder for objects or refs.
    private static func isBare(_ folder: String) -> Bool {
        Folder.exists(folder + "/data") || Folder.exists(folder + "/refs")
    }

    /// The nearest store from `folder` upward: `.sg_vault/bare` in it or one of its parents, else `./bare`.
    ///
    /// - Parameter folder: an absolute path.
    package static func nearest(from folder: String) -> StoreLayout? {
        // By bytes: a slash and an accent that follows it would be one character.
        var current = Array(folder.utf8)[...]
        while true {
            let candidate = String(decoding: current, as: UTF8.self) + "/.sg_vault/bare"
            if isBare(candidate) { return StoreLayout(at: candidate) }
            guard let slash = current.lastIndex(of: UInt8(ascii: "/")) else { break }
            current = current[..<slash]
        }
        return isBare(folder + "/bare") ? StoreLayout(at: folder + "/bare") : nil
    }

    /// Whether the store keeps its objects in packs, which this release does not read.
    package var hasPacks: Bool { Folder.exists(bare + "/packs") && !Folder.exists(objects) }
}
