package import CommandInterface
package import Encodings
package import Objects

/// How records are printed.
///
/// Declared once for all tools that have them.
package final class RecordOptions: Sendable {
    package let nul = Flag("z", nil, "end records with NUL and quote nothing")
    package let json = Flag(nil, "json", "print JSON")

    package init() {}

    /// What ends a record.
    package func terminator(_ call: Invocation) -> UInt8 { call[nul] ? 0 : 0x0A }

    package func names(_ call: Invocation) -> PrettyLayout.Names { call[nul] ? .raw : .quoted }

    /// Prints one JSON document on a line of its own.
    package func print(_ value: JSONValue, _ call: Invocation) {
        call.output.write(JSONWriter.write(value, .compact))
        call.output.write(0x0A)
    }
}
