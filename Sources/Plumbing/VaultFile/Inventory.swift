import Cryptography
import Encodings

/// What a file holds beside its header: how many members, how many bytes, and one hash over all their hashes.
///
/// The hash is of what `sha256sum` prints for the members in the order of their names.
package struct Inventory: Equatable {
    package let count: Int
    package let bytes: Int
    /// 64 hex digits.
    package let digest: [UInt8]

    init?(_ document: JSONValue) {
        guard let count = document["count"]?.integer, let bytes = document["bytes"]?.integer,
            case .string(let digest)? = document["sha256"], digest.count == 64,
            digest.allSatisfy({ Hex.value($0) != nil })
        else { return nil }
        self.count = count
        self.bytes = bytes
        self.digest = digest
    }

    init(_ taking: consuming Taking) {
        (count, bytes) = (taking.count, taking.bytes)
        digest = Hex.encode(taking.hash.finish().bytes)
    }

    var document: JSONValue {
        .object([
            .init("bytes", .integer(bytes)), .init("count", .integer(count)),
            .init("sha256", .string(digest)),
        ])
    }

    /// An inventory while it is taken.
    struct Taking: ~Copyable {
        fileprivate var hash = SHA256()
        fileprivate var count = 0
        fileprivate var bytes = 0
        private var line: [UInt8] = []

        mutating func add(_ name: MemberName, size: Int, digest: SHA256Digest) {
            line.removeAll(keepingCapacity: true)
            let words = digest.words
            for word in [words.0, words.1, words.2, words.3] {
                for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
                    line.append(Hex.digit(UInt8(truncatingIfNeeded: word >> shift) & 15))
                }
            }
            line += [0x20, 0x20]
            line += name.bytes
            line.append(0x0A)
            line.withUnsafeBytes { hash.update($0) }
            count += 1
            bytes += size
        }
    }
}
