import Encodings

/// A `--format` text with `%(atoms)`, read once and filled in for every record.
package struct RecordFormat<Atom> {
    package enum Part {
        case literal([UInt8])
        case atom(Atom)
    }

    package let parts: [Part]

    /// Nil where an atom is unknown, a parenthesis is left open or a `%` stands alone.
    ///
    /// `%%` is a per cent sign, `%xNN` the byte of two hex digits.
    package init?(_ text: [UInt8], atoms: (String) -> Atom?) {
        var parts: [Part] = []
        var literal: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                literal.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "%"): literal.append(byte)
            case UInt8(ascii: "x"):
                guard let bytes = Hex.decode(rest.prefix(2)), bytes.count == 1 else { return nil }
                literal += bytes
                rest = rest.dropFirst(2)
            case UInt8(ascii: "("):
                guard let end = rest.firstIndex(of: UInt8(ascii: ")")),
                    let atom = atoms(String(decoding: rest[..<end], as: UTF8.self))
                else { return nil }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(.atom(atom))
                rest = rest[(end + 1)...]
            default: return nil
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    /// The text of one record.
    package func fill(_ value: (Atom) throws -> [UInt8]) rethrows -> [UInt8] {
        var record: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let bytes): record += bytes
            case .atom(let atom): record += try value(atom)
            }
        }
        return record
    }
}
