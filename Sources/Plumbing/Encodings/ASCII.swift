/// Classes of ASCII bytes.
extension UInt8 {
    @inlinable package var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    @inlinable package var isLowercase: Bool { self >= 0x61 && self <= 0x7A }
    @inlinable package var isUppercase: Bool { self >= 0x41 && self <= 0x5A }
    @inlinable package var isAlphanumeric: Bool { isDigit || isLowercase || isUppercase }

    /// Of the alphabet `[A-Za-z0-9_-]`, which the names of branches and keys are made of.
    @inlinable package var isWordCharacter: Bool {
        isAlphanumeric || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}
