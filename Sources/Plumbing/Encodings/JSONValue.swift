/// A JSON document with the order of its members kept (RFC 8259).
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number as it is written; it is never turned into a floating-point value.
    case number([UInt8])
    /// The text of a string, unescaped, in UTF-8: compared by byte, so NFC and NFD spellings differ.
    case string([UInt8])
    case array([JSONValue])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var name: [UInt8]
        package var value: JSONValue

        package init(_ name: StaticString, _ value: JSONValue) {
            self.name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
                .map { $0 }
            self.value = value
        }

        package init(name: [UInt8], value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the last member of that name, as sgit reads it; nil for anything that is no object.
    package subscript(name: StaticString) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.isEqual(to: name) }?.value
    }

    /// The members of an object, in order; none of anything else.
    package var members: [Member] {
        if case .object(let members) = self { return members }
        return []
    }

    /// The elements of an array, in order; nil for anything else.
    package var elements: [JSONValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    /// Gives a member of an object its value: in its place where it stands already, once, else at the end.
    package mutating func set(_ name: StaticString, _ value: JSONValue) {
        var members = members
        guard let place = members.lastIndex(where: { $0.name.isEqual(to: name) }) else {
            self = .object(members + [Member(name, value)])
            return
        }
        members[place].value = value
        // Of a member that stands twice the last one counts, and none is written twice.
        self = .object(
            members.enumerated().filter { $0.offset == place || !$0.element.name.isEqual(to: name) }
                .map(\.element))
    }

    package static func text(_ text: String) -> JSONValue { .string(Array(text.utf8)) }
    package static func integer(_ value: Int) -> JSONValue { .number(Array(String(value).utf8)) }

    /// The value of a number that is written as a whole one and fits; nil for any other value.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Decimal.parse(text, allowingSign: true)
    }

    /// A whole number, or its decimal digits as a string: some writers quote numbers.
    package var wholeNumber: Int? {
        if case .string(let text) = self { return Decimal.parse(text) }
        return integer
    }
}

/// Whole numbers in decimal digits.
package enum Decimal {
    /// The value of `digits`; nil where it is empty, holds another byte, or does not fit in 63 bits.
    package static func parse(_ digits: some Collection<UInt8>, allowingSign: Bool = false) -> Int?
    {
        var rest = digits[...]
        var negative = false
        if allowingSign, rest.first == UInt8(ascii: "-") {
            negative = true
            rest = rest.dropFirst()
        }
        guard !rest.isEmpty else { return nil }
        var value = 0
        for digit in rest {
            guard digit.isDigit else { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int(digit - 0x30))
            guard !overflowed, !carried else { return nil }
            value = sum
        }
        return negative ? -value : value
    }
}

extension [UInt8] {
    /// A copy that takes no more memory than it needs.
    ///
    /// `Array(buffer)` shares its storage, and a buffer that is used again keeps the capacity of its longest content.
    package var exactCopy: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

extension Collection<UInt8> {
    /// Whether these are the bytes of an ASCII or UTF-8 literal.
    @inlinable
    package func isEqual(to literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        var expected = literal.utf8Start
        for byte in self {
            guard byte == expected.pointee else { return false }
            expected += 1
        }
        return true
    }
}
