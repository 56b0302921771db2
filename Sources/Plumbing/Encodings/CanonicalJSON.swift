// The canonical form of the vault file's header and locks: members in order of their bytes, no space, one line feed at
// the end. It is what `jq -cS .` prints (docs/vault-file.md, "Canonical form").

/// Why bytes are no document in canonical form.
package enum CanonicalJSONError: Error, Equatable {
    case malformed(JSONError)
    /// A value that the form does not have: a number that is no plain integer in 0 … 2^53 - 1, a control character, a
    /// member name outside `[a-z0-9._-]{1,64}`, nesting past 8.
    case unusable
    /// The same document is written in other bytes: spaces, another order, a member twice, another spelling.
    case otherBytes
}

package enum CanonicalJSON {
    /// The deepest nesting; the top object is depth 1.
    package static let maximumDepth = 8

    /// The canonical bytes of a value; its members may stand in any order.
    package static func encode(_ value: JSONValue) -> [UInt8] {
        JSONWriter.write(sorted(value), .compact) + [0x0A]
    }

    /// Reads a document that must be in canonical form already.
    ///
    /// It is written again and compared: that one test refuses repeated names, spaces, other spellings, and whatever else
    /// two readers could understand in two ways.
    package static func read(_ bytes: [UInt8]) throws(CanonicalJSONError) -> JSONValue {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            throw .malformed(error)
        }
        guard isUsable(value) else { throw .unusable }
        guard encode(value) == bytes else { throw .otherBytes }
        return value
    }

    /// Whether the form has such a value.
    package static func isUsable(_ value: JSONValue, depth: Int = 1) -> Bool {
        guard depth <= maximumDepth else { return false }
        switch value {
        case .null, .bool: return true
        case .number:
            guard let number = value.integer else { return false }
            return (0...(1 << 53) - 1).contains(number) && value == .integer(number)
        case .string(let text): return !holdsControls(text)
        case .array(let elements):
            return elements.allSatisfy { isUsable($0, depth: nested($0, depth)) }
        case .object(let members):
            return members.allSatisfy {
                isName($0.name) && isUsable($0.value, depth: nested($0.value, depth))
            }
        }
    }

    /// Whether UTF-8 text holds one of U+0000 to U+001F or U+007F to U+009F.
    package static func holdsControls(_ text: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            if byte < 0x20 || byte == 0x7F { return true }
            if previous == 0xC2, byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }

    // MARK: -

    private static func nested(_ value: JSONValue, _ depth: Int) -> Int {
        switch value {
        case .array, .object: depth + 1
        default: depth
        }
    }

    private static func isName(_ name: [UInt8]) -> Bool {
        (1...64).contains(name.count)
            && name.allSatisfy {
                $0.isDigit || $0.isLowercase || [0x2E, 0x5F, 0x2D].contains($0)
            }
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(sorted))
        case .object(let members):
            let ordered = members.map { JSONValue.Member(name: $0.name, value: sorted($0.value)) }
                .sorted { $0.name.lexicographicallyPrecedes($1.name) }
            // Of a member that stands twice the last one counts; so such a document is not its own canonical form.
            return .object(
                ordered.indices.filter { index in
                    index + 1 == ordered.count || ordered[index].name != ordered[index + 1].name
                }.map { ordered[$0] })
        default: return value
        }
    }
}
