package import Objects

/// The secrets of one commit: the documents `secrets/<slug>.json`.
///
/// A file there that is none, such as the other side of a conflict, is left out.
/// - Source: docs/secrets.md, "Where it lies".
package struct SecretList {
    package struct Secret {
        /// The file's name without `.json`.
        package let slug: [UInt8]
        package let document: SecretDocument

        package var path: [EntryName] { SecretList.path(slug) }
    }

    /// In order of their titles, by byte, and then of their ids.
    package private(set) var secrets: [Secret] = []
    /// Those whose documents cannot be read: damaged, or not in this copy.
    package private(set) var unread: [(slug: [UInt8], reason: any Error)] = []
    /// What stands in the folder, whatever it is.
    private var taken: Set<[UInt8]> = []

    private static let folder = "secrets"
    private static let ending = ".json"

    /// The secrets of a tree.
    ///
    /// A document that cannot be read takes none of the others with it.
    /// - Throws: what the reader throws where one of the two folders cannot be read.
    package init(of root: ObjectID, _ objects: any ObjectReader) throws {
        guard
            case .tree(let folder)? = try objects.tree(root).entry(
                named: Array(SecretList.folder.utf8))?.target
        else { return }
        for entry in try objects.tree(folder).entries {
            taken.insert(entry.name.bytes)
            guard case .blob(let id, let facts) = entry.target, facts.size <= SecretDocument.limit,
                let slug = SecretList.slug(ofFile: entry.name.bytes)
            else { continue }
            do {
                guard let document = SecretDocument(try objects.blob(id)) else { continue }
                secrets.append(Secret(slug: slug, document: document))
            } catch {
                unread.append((slug, error))
            }
        }
        secrets.sort { one, other in
            let (a, b) = (one.document, other.document)
            return a.title == b.title
                ? a.id.lexicographicallyPrecedes(b.id) : a.title.lexicographicallyPrecedes(b.title)
        }
    }

    /// Of a vault without a commit.
    package init() {}

    /// The slug that a file is called by; nil for a file that no secret is called so.
    package static func slug(ofFile name: [UInt8]) -> [UInt8]? {
        guard name.count > ending.utf8.count,
            name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        else { return nil }
        let slug = Array(name.dropLast(ending.utf8.count))
        let mark = Array(".conflict-".utf8)
        return slug.indices.contains { slug[$0...].starts(with: mark) } ? nil : slug
    }

    /// Where the secret of that slug lies.
    package static func path(_ slug: [UInt8]) -> [EntryName] {
        [Array(folder.utf8), slug + Array(ending.utf8)].map { name in
            guard let name = EntryName(name) else { preconditionFailure("a slug with a NUL in it") }
            return name
        }
    }

    // MARK: -

    /// The secrets that a person can mean by a name: those of that title, else those of that slug or id.
    package func named(_ name: [UInt8]) -> [Secret] {
        let titled = secrets.filter { $0.document.title == name }
        return titled.isEmpty
            ? secrets.filter { $0.slug == name || !name.isEmpty && $0.document.id == name } : titled
    }

    /// The path of a new secret.
    package func path(forNew document: SecretDocument) -> [EntryName] {
        SecretList.path(
            Slug.new(document.title, id: document.id) { slug in
                taken.contains(slug + Array(SecretList.ending.utf8))
            })
    }
}
