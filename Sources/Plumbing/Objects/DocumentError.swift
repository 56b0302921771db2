package import Encodings

/// Why the plaintext of a tree, commit, tag, ref, key or index is not one.
package enum DocumentError: Error, Equatable {
    /// The document, or a member of it, is not of the form that docs/vault-format.md gives it.
    case badMember(StaticString)
    case missingMember(StaticString)
    /// A member that is an envelope of its own does not open.
    case sealedMember(StaticString, EnvelopeError)

    package static func == (one: DocumentError, other: DocumentError) -> Bool {
        switch (one, other) {
        case (.badMember(let one), .badMember(let other)),
            (.missingMember(let one), .missingMember(let other)):
            one.description == other.description
        case (.sealedMember(let one, let oneError), .sealedMember(let other, let otherError)):
            one.description == other.description && oneError == otherError
        default: false
        }
    }
}

/// Why a plaintext that a person gives is not taken.
package enum DocumentInputError: Error {
    /// It does not read as the document that it is said to be.
    case notOfKind(ObjectKind, source: String, reason: any Error)
}

/// Checks that several documents share.
package enum DocumentRules {
    /// Times are whole milliseconds since 1970 within this range; outside it a document is refused.
    package static let times = 0...99_999_999_999_999

    /// White space at both ends off and ASCII letters lowered: what sgit does to the ids of commits, refs and the
    /// index, though not to those of trees.
    package static func normalized(_ id: [UInt8]) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        return id.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            .map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }

    /// Whether a `schema` member has the form `[a-z_]+_v[0-9]+`; which one it is, sgit does not check.
    package static func isSchema(_ text: [UInt8]) -> Bool {
        var end = text.count
        while end > 0, text[end - 1].isDigit { end -= 1 }
        guard end < text.count, end > 2, text[end - 2] == UInt8(ascii: "_"),
            text[end - 1] == UInt8(ascii: "v")
        else { return false }
        return text[..<end].allSatisfy { $0.isLowercase || $0 == UInt8(ascii: "_") }
    }

    /// Whether `text` is one of the `prefixes` and then as many lower-case hex digits as `digits` allows.
    package static func isID(
        _ text: some Collection<UInt8>, _ prefixes: StaticString..., digits: ClosedRange<Int>
    ) -> Bool {
        prefixes.contains { prefix in
            let count = prefix.utf8CodeUnitCount
            let rest = text.dropFirst(count)
            return text.prefix(count).isEqual(to: prefix) && digits.contains(rest.count)
                && rest.allSatisfy { $0.isDigit || $0 >= 0x61 && $0 <= 0x66 }
        }
    }

    /// Reads a string into `text`, whose capacity is kept; null and anything else leave it empty.
    ///
    /// - Returns: false for null.
    /// - Throws: `DocumentError.badMember` for a value of another kind, or a text longer than `limit` bytes.
    static func readText(
        _ scanner: inout JSONScanner, into text: inout [UInt8], _ name: StaticString,
        limit: Int = .max
    ) throws -> Bool {
        switch try scanner.peek() {
        case UInt8(ascii: "\""):
            try scanner.string(into: &text)
            guard text.count <= limit else { throw DocumentError.badMember(name) }
            return true
        case UInt8(ascii: "n"):
            try scanner.skipValue()
            text.removeAll(keepingCapacity: true)
            return false
        default: throw DocumentError.badMember(name)
        }
    }

    package static func isBranchID(_ text: [UInt8]) -> Bool {
        isID(text, "branch-named-", "branch-clone-", digits: 8...64)
    }

    package static func isKeyID(_ text: [UInt8]) -> Bool {
        isID(text, "key-rnd-imm-", digits: 8...64)
    }

    package static func isRefID(_ text: [UInt8]) -> Bool {
        isID(text, "ref-pid-muw-", "ref-pid-snw-", digits: 12...12)
    }

    /// A time member: an integer, or its decimal digits as a string.
    package static func time(_ value: JSONValue) -> Int? {
        value.wholeNumber.flatMap { times.contains($0) ? $0 : nil }
    }
}
