/// Text for a message: what could steer a terminal or hide, control, format and separator characters and those that
/// Unicode has not assigned, is shown as `?`.
///
/// Messages hold texts out of a vault and out of argv.
package func displayable(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        shown.append(isShown(scalar) ? scalar : "?")
    }
    return String(shown)
}

/// Whether a terminal shows it as a character and nothing else happens.
func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        return false
    default: return true
    }
}

/// An argument in single quotes for a message, cut where it is long.
package func quoted(_ bytes: some Collection<UInt8>) -> String {
    let longest = 256
    let end = bytes.count > longest ? "…" : ""
    return "'" + displayable(String(decoding: bytes.prefix(longest), as: UTF8.self)) + end + "'"
}
