package import CommandInterface
package import Objects

/// A path in a vault as a person writes it: names with slashes between.
package enum VaultPath {
    /// The longest name that file systems take, in bytes.
    private static let longestName = 255
    /// The longest path, in bytes, and the deepest: beyond them sgit cannot clone.
    private static let longestPath = 3800
    private static let deepest = 250

    /// The names of a path that exists; nil where no path can be called that.
    ///
    /// A folder may be named with a slash at the end.
    package static func existing(_ text: [UInt8]) -> [EntryName]? {
        let text = text.count > 1 && text.last == UInt8(ascii: "/") ? Array(text.dropLast()) : text
        let names = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { EntryName(Array($0)) }
        let known = names.compactMap { $0 }
        return known.count == names.count ? known : nil
    }

    /// The names of a path that is to be written.
    ///
    /// - Throws: `UsageError` for what the path guard refuses, and for what some system could not check out.
    package static func new(_ text: [UInt8]) throws(UsageError) -> [EntryName] {
        guard text.first != UInt8(ascii: "/") else {
            throw UsageError(
                "\(quoted(text)) begins with a slash: paths begin at the root of the vault")
        }
        guard !PathGuard.isProtected(text) else {
            throw UsageError("\(quoted(text)) holds a name that no working folder may have")
        }
        guard PathGuard.isWritable(text) else {
            throw UsageError("\(quoted(text)) is no path: it is blank, or leads out of the vault")
        }
        guard text.last != UInt8(ascii: "/"), let names = existing(text),
            !names.contains(where: { $0.bytes.elementsEqual(".".utf8) })
        else { throw UsageError("\(quoted(text)) is no path: a name in it is empty, or '.'") }
        guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw UsageError("\(quoted(text)) is no path: it holds a control character")
        }
        guard text.count <= longestPath, names.count <= deepest else {
            throw UsageError(
                "\(quoted(text)) is longer than \(longestPath) bytes, or deeper than \(deepest) folders"
            )
        }
        guard !names.contains(where: { $0.bytes.count > longestName }) else {
            throw UsageError(
                "\(quoted(text)): a name in it is longer than \(longestName) bytes")
        }
        return names
    }
}
