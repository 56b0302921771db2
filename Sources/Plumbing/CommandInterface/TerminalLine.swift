/// The line that a person is typing, in memory that is wiped by its owner: no copy of a byte is made.
struct TerminalLine {
    /// What one more byte means.
    enum Step {
        case goesOn
        case isEnded
        /// There will be no answer.
        case isRefused
    }

    /// What the memory must hold: a byte more than an answer, which may be the end of the line.
    static let room = Terminal.longestAnswer + 1

    /// What stands for a byte that is not shown.
    private static let mark: [UInt8] = [0x3F]
    /// What empties the column before the cursor and goes there.
    private static let back: [UInt8] = [0x08, 0x20, 0x08]

    private(set) var count = 0
    /// Whether more was typed than there is room for.
    private(set) var isTooLong = false
    /// Whether the line is to be seen.
    let isShown: Bool
    private let bytes: UnsafeMutableRawBufferPointer
    /// How many of the bytes are on the screen.
    private var drawn = 0

    init(_ bytes: UnsafeMutableRawBufferPointer, isShown: Bool) {
        precondition(bytes.count == TerminalLine.room)
        self.bytes = bytes
        self.isShown = isShown
    }

    /// Where the next byte is to be put, before `take`.
    var place: UnsafeMutableRawPointer? { bytes.baseAddress.map { $0 + count } }

    /// Does what the byte at `place` asks for.
    mutating func take(_ write: (UnsafeRawBufferPointer) -> Void) -> Step {
        let byte = bytes[count]
        switch byte {
        case 0x0A, 0x0D: return .isEnded
        case 0x04: return count == 0 ? .isRefused : .goesOn
        case 0x15:
            isTooLong = false
            erase(downTo: 0, write)
        case _ where isTooLong: break
        case 0x08, 0x7F: erase(downTo: lastPiece?.start ?? 0, write)
        case 0x17:
            let end = bytes[..<count].lastIndex { $0 != 0x20 } ?? 0
            let space = bytes[..<end].lastIndex(of: 0x20)
            erase(downTo: space.map { $0 + 1 } ?? 0, write)
        case _ where count == Terminal.longestAnswer: isTooLong = true
        default:
            count += 1
            draw(write)
        }
        return .goesOn
    }

    mutating func removeAll() {
        count = 0
        drawn = 0
        isTooLong = false
    }

    /// Shows the whole line once more, behind the cursor.
    mutating func redraw(_ write: (UnsafeRawBufferPointer) -> Void) {
        drawn = 0
        draw(write)
    }

    private mutating func draw(_ write: (UnsafeRawBufferPointer) -> Void) {
        guard isShown else { return }
        while drawn < count, case let piece = piece(at: drawn), piece.isWhole {
            if piece.isPlain {
                write(UnsafeRawBufferPointer(rebasing: bytes[piece.start..<piece.end]))
            } else {
                TerminalLine.mark.withUnsafeBytes(write)
            }
            drawn = piece.end
        }
    }

    private mutating func erase(
        downTo start: Int, _ write: (UnsafeRawBufferPointer) -> Void
    ) {
        var width = 0
        var index = start
        while index < drawn {
            let piece = piece(at: index)
            width += piece.width
            index = piece.end
        }
        count = start
        drawn = min(drawn, start)
        for _ in 0..<width { TerminalLine.back.withUnsafeBytes(write) }
    }

    // MARK: - Characters

    /// One character of UTF-8, or one byte that belongs to none.
    private struct Piece {
        let start: Int
        let end: Int
        /// False where bytes of it are still to come.
        var isWhole = true
        var scalar: Unicode.Scalar?

        /// Whether it is shown as it is, and not as `?`.
        var isPlain: Bool { scalar.map(CommandInterface.isShown) ?? false }

        /// In columns of the screen.
        var width: Int {
            guard let scalar, isPlain else { return 1 }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return 0
            default: break
            }
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F,
                0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
                0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1FAFF, 0x20000...0x3FFFD:
                return 2
            default: return 1
            }
        }
    }

    private var lastPiece: Piece? {
        var last: Piece?
        var index = 0
        while index < count {
            let piece = piece(at: index)
            last = piece
            index = piece.end
        }
        return last
    }

    private func piece(at start: Int) -> Piece {
        let first = bytes[start]
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let stray = Piece(
            start: start, end: start + 1, scalar: first < 0x80 ? Unicode.Scalar(first) : nil)
        guard length > 1 else { return stray }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in start + 1..<start + length {
            guard index < count else {
                // What was given up as text once, and is on the screen, is not waited for again.
                guard start >= drawn else { return stray }
                return Piece(start: start, end: count, isWhole: false, scalar: nil)
            }
            guard bytes[index] & 0xC0 == 0x80 else { return stray }
            value = value << 6 | UInt32(bytes[index] & 0x3F)
        }
        let least: [UInt32] = [0, 0x80, 0x800, 0x1_0000]
        guard value >= least[length - 1], let scalar = Unicode.Scalar(value) else { return stray }
        return Piece(start: start, end: start + length, scalar: scalar)
    }
}
