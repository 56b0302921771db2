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
}
