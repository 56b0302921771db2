import SecretMemory

/// Lays out text that holds a secret, in memory that is wiped.
///
/// What is laid out is gone through twice, first to count, so that the text lies in one piece of memory and nowhere else.
struct SecretText {
    /// Nil while it only counts.
    private let room: UnsafeMutableRawBufferPointer?
    private(set) var count = 0

    /// - Parameter layOut: writes the same both times.
    static func make(_ layOut: (inout SecretText) -> Void) -> SecretBytes {
        var measure = SecretText(room: nil)
        layOut(&measure)
        return SecretBytes(count: measure.count) { room in
            var text = SecretText(room: room)
            layOut(&text)
            return text.count
        }
    }

    mutating func write(_ byte: UInt8) {
        if let room { room[count] = byte }
        count += 1
    }

    /// Words that are no secret.
    mutating func write(_ text: String) {
        for byte in text.utf8 { write(byte) }
    }

    mutating func write(_ secret: SecretBytes) {
        secret.withBytes { for byte in $0 { write(byte) } }
    }

    /// A number in 0 ..< 1000, which leaves no digits anywhere else.
    mutating func write(_ number: Int) {
        if number >= 100 { write(UInt8(ascii: "0") + UInt8(number / 100)) }
        if number >= 10 { write(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
        write(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Words that may hold what has a meaning in HTML.
    mutating func writeEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): write("&amp;")
            case UInt8(ascii: "<"): write("&lt;")
            case UInt8(ascii: ">"): write("&gt;")
            case UInt8(ascii: "\""): write("&quot;")
            case UInt8(ascii: "'"): write("&#39;")
            default: write(byte)
            }
        }
    }
}
