/// Text for a message: what could steer a terminal, of either set of control characters or turning the direction of
/// writing, is shown as `?`.
///
/// Messages hold texts out of a vault and out of argv.
package func displayable(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
            shown.append("?")
        default: shown.append(scalar)
        }
    }
    return String(shown)
}

/// An argument in single quotes for a message, cut where it is long.
package func quoted(_ bytes: some Collection<UInt8>) -> String {
    let longest = 256
    let end = bytes.count > longest ? "…" : ""
    return "'" + displayable(String(decoding: bytes.prefix(longest), as: UTF8.self)) + end + "'"
}
