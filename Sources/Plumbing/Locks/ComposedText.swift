import CUtf8proc
package import SecretMemory

/// Why a text has no composed form.
package enum ComposedTextError: Error, Equatable {
    case notUTF8
    /// It holds a code point that Unicode has not assigned yet: its composed form may be another one some day.
    case unassigned
}

/// Text in Unicode's composed form, NFC.
package enum ComposedText {
    /// The composed form of UTF-8 text, made in memory that is wiped.
    package static func compose(
        _ text: SecretBytes, acceptingUnassigned: Bool = false
    ) throws(ComposedTextError) -> SecretBytes {
        var bits = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
        if !acceptingUnassigned { bits |= UTF8PROC_REJECTNA.rawValue }
        let options = utf8proc_option_t(rawValue: bits)

        func decompose(into target: UnsafeMutableRawBufferPointer?) -> Int {
            text.withBytes { text in
                utf8proc_decompose(
                    text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count,
                    target?.baseAddress?.assumingMemoryBound(to: Int32.self),
                    (target?.count ?? 0) / 4, options)
            }
        }

        let count = decompose(into: nil)
        guard count >= 0 else {
            throw count == Int(UTF8PROC_ERROR_NOTASSIGNED) ? .unassigned : .notUTF8
        }
        // utf8proc turns the code points into bytes in their own place, and ends them with a zero byte.
        return SecretBytes(count: 4 * (count + 1)) { target in
            guard decompose(into: target) == count else { return 0 }
            let points = target.baseAddress?.assumingMemoryBound(to: Int32.self)
            return max(0, utf8proc_reencode(points, count, options))
        }
    }
}
