/// Writes JSON byte for byte in one of the forms that the vault and its tools use.
package struct JSONWriter {
    package enum Style {
        /// As sgit stores documents: `", "` and `": "` between parts, everything outside printable ASCII as
        /// `\uXXXX`. The ids of trees hang on these bytes (docs/vault-format.md, "JSON").
        case stored
        /// No white space, UTF-8 as it is, only what must be escaped: the signed form of RFC 8785 (its member
        /// order is the caller's) and the `--json` output.
        case compact
    }

    /// What has been written so far.
    package private(set) var bytes: [UInt8] = []
    private let style: Style

    package init(_ style: Style) {
        self.style = style
    }

    /// The bytes of one document.
    package static func write(_ value: JSONValue, _ style: Style) -> [UInt8] {
        var writer = JSONWriter(style)
        writer.append(value)
        return writer.bytes
    }

    /// Writes a value; members and elements keep their order.
    package mutating func append(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let text): bytes += text
        case .string(let text): append(string: text)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(style == .stored ? ", " : ",") }
                append(element)
            }
            raw("]")
        case .object(let members):
            raw("{")
            for (index, member) in members.enumerated() {
                if index > 0 { raw(style == .stored ? ", " : ",") }
                append(string: member.name)
                raw(style == .stored ? ": " : ":")
                append(member.value)
            }
            raw("}")
        }
    }

    private mutating func raw(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(string text: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let isPlain = text.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain {
            bytes += text
        } else {
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars { append(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": raw("\\\"")
        case "\\": raw("\\\\")
        case "\u{08}": raw("\\b")
        case "\u{0C}": raw("\\f")
        case "\n": raw("\\n")
        case "\r": raw("\\r")
        case "\t": raw("\\t")
        case "\u{20}"..."\u{7E}": bytes.append(UInt8(scalar.value))
        default:
            if scalar.value < 0x20 || style == .stored {
                for unit in String(Character(scalar)).utf16 { appendEscape(unit) }
            } else {
                bytes += String(Character(scalar)).utf8
            }
        }
    }

    private mutating func appendEscape(_ unit: UInt16) {
        raw("\\u")
        bytes += Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xFF)])
    }
}
