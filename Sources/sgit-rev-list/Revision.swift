import History
import Plumbing

/// One revision as it is written: what it adds to the range, or takes out.
enum Revision {
    case include(ObjectName)
    case exclude(ObjectName)
    /// `A..B`: what B reaches and A does not.
    case between(ObjectName, ObjectName)
    /// `A...B`: what one of them reaches and not both.
    case symmetric(ObjectName, ObjectName)

    init?(_ text: [UInt8]) {
        if text.first == UInt8(ascii: "^") {
            guard let name = ObjectName(Array(text.dropFirst())) else { return nil }
            self = .exclude(name)
            return
        }
        guard let dots = text.indices.first(where: { text[$0...].starts(with: "..".utf8) }) else {
            guard let name = ObjectName(text) else { return nil }
            self = .include(name)
            return
        }
        let isSymmetric = text[dots...].starts(with: "...".utf8)
        guard let one = Revision.side(text[..<dots]),
            let other = Revision.side(text[(dots + (isSymmetric ? 3 : 2))...])
        else { return nil }
        self = isSymmetric ? .symmetric(one, other) : .between(one, other)
    }

    func add(to range: inout RevisionRange, in vault: OpenStore) throws {
        switch self {
        case .include(let name): range.included.append(try vault.commitID(of: vault.resolve(name)))
        case .exclude(let name): range.excluded.append(try vault.commitID(of: vault.resolve(name)))
        case .between(let one, let other):
            range.excluded.append(try vault.commitID(of: vault.resolve(one)))
            range.included.append(try vault.commitID(of: vault.resolve(other)))
        case .symmetric(let one, let other):
            range.symmetric.append(
                (
                    try vault.commitID(of: vault.resolve(one)),
                    try vault.commitID(of: vault.resolve(other))
                ))
        }
    }

    /// An empty side is the head of `current`.
    private static func side(_ text: ArraySlice<UInt8>) -> ObjectName? {
        ObjectName(text.isEmpty ? [UInt8(ascii: "@")] : Array(text))
    }
}

/// The value of `--missing`.
enum MissingAction: String {
    case error = "error"
    case allowAny = "allow-any"
    case print = "print"

    static let names = ["error", "allow-any", "print"]

    init?(_ text: [UInt8]) {
        self.init(rawValue: String(decoding: text, as: UTF8.self))
    }
}
