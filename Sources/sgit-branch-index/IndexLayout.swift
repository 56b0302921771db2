import Encodings
import Objects
import Store

/// How the branch index is printed.
enum IndexLayout {
    static func lines(_ index: BranchIndex) -> [UInt8] {
        var text = Array("format \(index.gate.effectiveFormat)\n".utf8)
        if let minimum = index.gate.minimumClient, !minimum.isEmpty {
            text += "min-client ".utf8 + CQuoting.quote(minimum) + "\n".utf8
        }
        for feature in index.gate.features {
            text += "feature ".utf8 + CQuoting.quote(feature) + "\n".utf8
        }
        for branch in index.branches { text += line(branch) }
        for tag in index.tags {
            switch tag {
            case .entry(let name, let object, let isDeleted, _):
                text +=
                    "tag \(object.text) \(isDeleted ? "deleted" : "live")\t".utf8 + name.bytes
                    + "\n".utf8
            case .carried: text += "tag - carried\t-\n".utf8
            }
        }
        return text
    }

    static func line(_ branch: BranchIndex.Branch) -> [UInt8] {
        let dash = Array("-".utf8)
        return Array(
            [
                Array("branch".utf8), branch.id, Array(branch.kind.rawValue.utf8), branch.ref,
                branch.key ?? dash, branch.creator ?? dash,
            ].joined(separator: " ".utf8)) + "\t".utf8 + branch.name + "\n".utf8
    }

    static func json(_ index: BranchIndex) -> JSONValue {
        .object([
            .init("format", .integer(index.gate.effectiveFormat)),
            .init("min_client", ObjectJSON.nullable(index.gate.minimumClient)),
            .init("features", .array(index.gate.features.map { .string($0) })),
            .init("branches", .array(index.branches.map(json))),
            .init("tags", .array(index.tags.map(json))),
        ])
    }

    static func json(_ branch: BranchIndex.Branch) -> JSONValue {
        .object([
            .init("id", .string(branch.id)), .init("name", .string(branch.name)),
            .init("type", .text(branch.kind.rawValue)), .init("ref", .string(branch.ref)),
            .init("key", ObjectJSON.nullable(branch.key)),
            .init("created_at", time(branch.createdAt)),
            .init("creator", ObjectJSON.nullable(branch.creator)),
            .init("display_name", ObjectJSON.nullable(branch.displayName)),
        ])
    }

    private static func json(_ tag: BranchIndex.TagEntry) -> JSONValue {
        switch tag {
        case .entry(let name, let object, let isDeleted, let time):
            .object([
                .init("name", .string(name.bytes)), .init("id", .string(object.bytes)),
                .init("deleted", .bool(isDeleted)), .init("time", .text(Timestamp.rfc3339(time))),
            ])
        case .carried(let stored): .object([.init("carried", stored)])
        }
    }

    /// Milliseconds in the words of JSON output; a text that a web writer left is kept.
    private static func time(_ stored: JSONValue) -> JSONValue {
        stored.integer.map { .text(Timestamp.rfc3339($0)) } ?? stored
    }
}
