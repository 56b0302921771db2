/// Names in line records, quoted as git does with `core.quotePath`.
package enum CQuoting {
    /// The name as it is, or in double quotes with C escapes where it has a control character, `"`, `\` or a
    /// byte that is not ASCII.
    /// - Parameter always: quote a plain name too, where its spaces would part a record.
    package static func quote(_ name: [UInt8], always: Bool = false) -> [UInt8] {
        let isPlain = name.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain, !always { return name }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in name {
            switch byte {
            case 0x07: quoted += "\\a".utf8
            case 0x08: quoted += "\\b".utf8
            case 0x09: quoted += "\\t".utf8
            case 0x0A: quoted += "\\n".utf8
            case 0x0B: quoted += "\\v".utf8
            case 0x0C: quoted += "\\f".utf8
            case 0x0D: quoted += "\\r".utf8
            case UInt8(ascii: "\""): quoted += "\\\"".utf8
            case UInt8(ascii: "\\"): quoted += "\\\\".utf8
            case 0x20..<0x7F: quoted.append(byte)
            default:
                quoted.append(UInt8(ascii: "\\"))
                for shift in [6, 3, 0] as [UInt8] { quoted.append(0x30 + (byte >> shift & 7)) }
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return quoted
    }

    /// The name that a record shows: what begins with a quote is unquoted, all else is as it is.
    ///
    /// Nil for a quote without its end, what follows its end, and an escape that is none.
    package static func unquote(_ shown: ArraySlice<UInt8>) -> [UInt8]? {
        guard shown.first == UInt8(ascii: "\"") else { return Array(shown) }
        var name: [UInt8] = []
        var rest = shown.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return rest.isEmpty ? name : nil
            case UInt8(ascii: "\\"):
                guard let escape = rest.popFirst() else { return nil }
                switch escape {
                case UInt8(ascii: "a"): name.append(0x07)
                case UInt8(ascii: "b"): name.append(0x08)
                case UInt8(ascii: "t"): name.append(0x09)
                case UInt8(ascii: "n"): name.append(0x0A)
                case UInt8(ascii: "v"): name.append(0x0B)
                case UInt8(ascii: "f"): name.append(0x0C)
                case UInt8(ascii: "r"): name.append(0x0D)
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): name.append(escape)
                case 0x30...0x33:
                    let digits = rest.prefix(2)
                    guard digits.count == 2, digits.allSatisfy({ (0x30...0x37).contains($0) })
                    else { return nil }
                    rest = rest.dropFirst(2)
                    name.append(digits.reduce(escape & 3) { $0 << 3 | $1 & 7 })
                default: return nil
                }
            default: name.append(byte)
            }
        }
        return nil
    }
}
