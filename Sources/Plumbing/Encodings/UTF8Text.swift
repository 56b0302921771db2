/// Well-formed UTF-8 (Unicode 15, table 3-7): no overlong form, no surrogate, nothing past U+10FFFF.
package enum UTF8Text {
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        let count = bytes.count
        while position < count {
            let lead = bytes[position]
            position += 1
            if lead < 0x80 { continue }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 1
            case 0xE0: (length, second) = (2, 0xA0...0xBF)
            case 0xED: (length, second) = (2, 0x80...0x9F)
            case 0xE1...0xEF: length = 2
            case 0xF0: (length, second) = (3, 0x90...0xBF)
            case 0xF4: (length, second) = (3, 0x80...0x8F)
            case 0xF1...0xF3: length = 3
            default: return false
            }
            guard position + length <= count, second.contains(bytes[position]) else { return false }
            for offset in 1..<max(length, 1) where bytes[position + offset] & 0xC0 != 0x80 {
                return false
            }
            position += length
        }
        return true
    }

    package static func isValid(_ bytes: some ContiguousBytes) -> Bool {
        bytes.withBytes { isValid($0) }
    }
}
