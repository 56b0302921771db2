package import Encodings

/// Objects as `--json` shows them.
///
/// The order of members is part of the promise.
package enum ObjectJSON {
    package static func entry(_ target: TreeTarget, path: [UInt8]) -> JSONValue {
        var facts: BlobFacts?
        if case .blob(_, let known) = target { facts = known }
        return .object([
            .init("kind", .text(target.kind.rawValue)), .init("id", .string(target.id.bytes)),
            .init("size", facts.map { .integer($0.size) } ?? .null),
            .init("content_hash", nullable(facts?.contentHash)),
            .init("media_type", nullable(facts?.mediaType)),
            .init("large", facts.map { .bool($0.isLarge) } ?? .null), .init("path", .string(path)),
        ])
    }

    /// What a commit says, without its id: the members that `cat-object` and `rev-list` share.
    package static func facts(of commit: Commit, message: [UInt8]) -> [JSONValue.Member] {
        [
            .init("tree", .string(commit.tree.bytes)),
            .init("parents", .array(commit.parents.map { .string($0.bytes) })),
            .init("branch", nullable(commit.branch)), .init("key", nullable(commit.authorKey)),
            .init("time", commit.time.map { .text(Timestamp.rfc3339($0)) } ?? .null),
            .init("signature", nullable(commit.signature)), .init("message", .string(message)),
        ]
    }

    package static func facts(of tag: Tag) -> [JSONValue.Member] {
        [
            .init("commit", .string(tag.commit.bytes)), .init("name", .string(tag.name.bytes)),
            .init("branch", nullable(tag.branch)), .init("key", nullable(tag.key)),
            .init("time", .text(Timestamp.rfc3339(tag.time))),
            .init("signature", nullable(tag.signature)), .init("message", .string(tag.message)),
        ]
    }

    /// Null for what is absent or empty.
    package static func nullable(_ text: [UInt8]?) -> JSONValue {
        text.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }
}
