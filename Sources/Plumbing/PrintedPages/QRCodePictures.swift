package import SecretMemory

extension QRCode {
    /// What half blocks are shown on.
    package enum Surface {
        /// Black on white is asked for, so that a camera reads it off a dark screen as well as off a light one.
        case terminal
        /// What is dark is ink.
        case paper
    }

    /// Lines of half blocks, two rows of modules a line, the quiet zone around them, for a terminal.
    package var terminalText: SecretBytes {
        SecretText.make { writeHalfBlocks(for: .terminal, into: &$0) }
    }

    /// Columns of the picture in half blocks.
    package var textWidth: Int { side + 2 * QRCode.quietZone }

    func writeHalfBlocks(for surface: Surface, into text: inout SecretText) {
        let places = -QRCode.quietZone..<(side + QRCode.quietZone)
        for row in stride(from: places.lowerBound, to: places.upperBound, by: 2) {
            if surface == .terminal { text.write("\u{1B}[30;107m") }
            for column in places {
                switch (isDark(row: row, column: column), isDark(row: row + 1, column: column)) {
                case (true, true): text.write("█")
                case (true, false): text.write("▀")
                case (false, true): text.write("▄")
                case (false, false): text.write(" ")
                }
            }
            text.write(surface == .terminal ? "\u{1B}[0m\n" : "\n")
        }
    }

    /// A picture for an HTML page: one path, a unit a module, the quiet zone around it.
    package var svg: SecretBytes { SecretText.make { writeSVG(into: &$0) } }

    func writeSVG(into text: inout SecretText) {
        let width = textWidth
        text.write("<svg viewBox=\"0 0 \(width) \(width)\" shape-rendering=\"crispEdges\" ")
        text.write("role=\"img\" aria-label=\"the code as a QR code\">")
        text.write("<path d=\"")
        for row in 0..<side {
            var column = 0
            while column < side {
                let start = column
                while isDark(row: row, column: column) { column += 1 }
                if column > start { writeBar(row, start..<column, into: &text) }
                column += 1
            }
        }
        text.write("\"/></svg>")
    }

    /// Dark modules side by side.
    private func writeBar(_ row: Int, _ columns: Range<Int>, into text: inout SecretText) {
        text.write("M")
        text.write(columns.lowerBound + QRCode.quietZone)
        text.write(" ")
        text.write(row + QRCode.quietZone)
        text.write("h")
        text.write(columns.count)
        text.write("v1h-")
        text.write(columns.count)
        text.write("z")
    }
}
