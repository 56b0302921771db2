import CQrencode
import Glibc
package import SecretMemory

/// A text of digits, capital letters and hyphens as a square that a camera reads.
///
/// It holds what the text holds, so it is kept as the text is. Of the library's own memory only the square is wiped: its
/// other buffers go back to the heap with the bits of the text in them (docs/decisions/0025-a-library-for-qr-codes.md).
/// - Source: ISO/IEC 18004.
package struct QRCode {
    /// Modules in a row, and rows.
    package let side: Int
    /// A byte a module, row by row: 1 where it is dark.
    private let modules: SecretBytes

    /// Light modules on each side, without which a reader does not see where the square begins.
    package static let quietZone = 4

    /// The longest text that is taken, in bytes; there is room for it in the smallest of squares but two.
    package static let longestText = 35

    /// The smallest square for a text, with the most that can be mended in one of that size.
    ///
    /// - Parameter text: at most `longestText` characters of QR's alphanumeric mode: digits, capital letters, hyphens.
    package init(_ text: SecretBytes) {
        precondition(text.count <= QRCode.longestText)
        let code = text.withBytes { text -> UnsafeMutablePointer<QRcode>? in
            guard let input = QRinput_new2(0, QR_ECLEVEL_H) else { return nil }
            defer { QRinput_free(input) }
            let characters = text.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard QRinput_append(input, QR_MODE_AN, Int32(text.count), characters) == 0 else {
                return nil
            }
            return QRcode_encodeInput(input)
        }
        guard let code, let data = code.pointee.data else {
            preconditionFailure("no text of a QR code")
        }
        let side = Int(code.pointee.width)
        self.side = side
        modules = SecretBytes(count: side * side) { modules in
            // Of a byte the lowest bit is the colour; the others say what the module is for.
            for place in 0..<(side * side) { modules[place] = data[place] & 1 }
            return side * side
        }
        explicit_bzero(data, side * side)
        QRcode_free(code)
    }

    /// Whether a module is dark; outside of the square none is.
    package func isDark(row: Int, column: Int) -> Bool {
        guard (0..<side).contains(row), (0..<side).contains(column) else { return false }
        return modules.withBytes { $0[row * side + column] == 1 }
    }
}
