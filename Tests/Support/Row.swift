package import Encodings

/// A value of a JSON file of the tests, with accessors that throw where it is not what a test takes it for.
///
/// It leans on our own reader, since Foundation's folds the NFC and NFD spellings of a member's name into one.
package struct Row: @unchecked Sendable, CustomStringConvertible {
    package let value: JSONValue

    package enum Failure: Error {
        case unexpected(name: String, JSONValue?)
    }

    package init(_ value: JSONValue) {
        self.value = value
    }

    /// The beginning of its text, for the comment of an expectation.
    package var description: String {
        String(decoding: JSONWriter.write(value, .compact).prefix(200), as: UTF8.self)
    }

    package func bytes(_ name: StaticString) throws -> [UInt8] {
        guard case .string(let text)? = value[name] else { throw unexpected(name) }
        return text
    }

    package func text(_ name: StaticString) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    /// The text of a member; nil for null and for an absent one.
    package func optionalBytes(_ name: StaticString) throws -> [UInt8]? {
        switch value[name] {
        case nil, .null: return nil
        default: return try bytes(name)
        }
    }

    /// The bytes that a member's hex digits stand for.
    package func hex(_ name: StaticString) throws -> [UInt8] {
        guard let bytes = Hex.decode(try bytes(name)) else { throw unexpected(name) }
        return bytes
    }

    package func flag(_ name: StaticString) throws -> Bool {
        guard case .bool(let flag)? = value[name] else { throw unexpected(name) }
        return flag
    }

    package func integer(_ name: StaticString) throws -> Int {
        guard let integer = value[name]?.integer else { throw unexpected(name) }
        return integer
    }

    /// The number of a member; nil for null and for an absent one.
    package func optionalInteger(_ name: StaticString) throws -> Int? {
        switch value[name] {
        case nil, .null: return nil
        default: return try integer(name)
        }
    }

    package func row(_ name: StaticString) throws -> Row {
        guard case .object? = value[name], let member = value[name] else { throw unexpected(name) }
        return Row(member)
    }

    package func rows(_ name: StaticString) throws -> [Row] {
        guard case .array(let rows)? = value[name] else { throw unexpected(name) }
        return rows.map { Row($0) }
    }

    /// The texts of an array's members.
    package func texts(_ name: StaticString) throws -> [[UInt8]] {
        try rows(name).map { row in
            guard case .string(let text) = row.value else { throw unexpected(name) }
            return text
        }
    }

    /// The members of an object whose values are texts, in stored order.
    package func pairs(_ name: StaticString) throws -> [(name: [UInt8], text: [UInt8])] {
        guard case .object(let members)? = value[name] else { throw unexpected(name) }
        return try members.map { member in
            guard case .string(let text) = member.value else { throw unexpected(name) }
            return (member.name, text)
        }
    }

    private func unexpected(_ name: StaticString) -> Failure {
        .unexpected(name: "\(name)", value[name])
    }
}
