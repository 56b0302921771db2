import Encodings

/// How objects look to a person and to a line-based script: what `cat-object -p` and `ls-tree` print.
package enum PrettyLayout {
    /// How names are shown in a record.
    package enum Names {
        /// Quoted as git does, for records that end with LF.
        case quoted
        /// As they are, for records that end with NUL.
        case raw

        package func show(_ name: [UInt8]) -> [UInt8] {
            self == .quoted ? CQuoting.quote(name) : name
        }
    }

    /// `<kind> <id>` TAB path; with details `<kind> <id> <size> <content hash> <media type>` TAB path, where `-`
    /// stands for what there is not.
    package static func record(
        _ target: TreeTarget, path: [UInt8], details: Bool, names: Names
    ) -> [UInt8] {
        var record = Array(target.kind.rawValue.utf8)
        record.append(space)
        record += target.id.bytes
        if details {
            switch target {
            case .blob(_, let facts):
                record.append(space)
                record += String(facts.size).utf8
                record.append(space)
                record += field(facts.contentHash)
                record.append(space)
                record += field(facts.mediaType)
            case .tree: record += " - - -".utf8
            }
        }
        record.append(UInt8(ascii: "\t"))
        record += names.show(path)
        return record
    }

    /// A path from its names.
    package static func path(_ names: [EntryName]) -> [UInt8] {
        Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
    }

    /// Lines of what the commit says, an empty line, the message and a line feed.
    package static func text(of commit: Commit, message: [UInt8]) -> [UInt8] {
        var lines = line("tree", commit.tree.bytes)
        for parent in commit.parents { lines += line("parent", parent.bytes) }
        lines += line("branch", commit.branch) + line("key", commit.authorKey)
        lines += line("time", commit.time.map { Array(String($0).utf8) })
        return lines + line("signature", commit.signature) + ending(message)
    }

    package static func text(of tag: Tag) -> [UInt8] {
        line("commit", tag.commit.bytes) + line("name", tag.name.bytes)
            + line("branch", tag.branch) + line("key", tag.key)
            + line("time", Array(String(tag.time).utf8)) + line("signature", tag.signature)
            + ending(tag.message)
    }

    private static let space = UInt8(ascii: " ")

    /// A value that may be missing, and may hold anything: quoted where it would break the record.
    private static func field(_ value: [UInt8]) -> [UInt8] {
        if value.isEmpty { return [UInt8(ascii: "-")] }
        // A dash by itself stands for nothing, and one that is meant is quoted.
        if value.contains(space) || value.elementsEqual("-".utf8) {
            return CQuoting.quote(value, always: true)
        }
        return CQuoting.quote(value)
    }

    private static func line(_ name: StaticString, _ value: [UInt8]?) -> [UInt8] {
        guard let value, !value.isEmpty else { return [] }
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return Array(name) + [space] + CQuoting.quote(value) + [0x0A]
    }

    private static func ending(_ message: [UInt8]) -> [UInt8] { [0x0A] + message + [0x0A] }
}
