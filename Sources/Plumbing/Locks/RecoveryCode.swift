package import Cryptography
import Encodings
package import SecretMemory

/// Why what was typed is no recovery code.
package enum RecoveryCodeError: Error, Equatable {
    /// A character that no code has in that place, counted from 1 among those that count.
    case badCharacter(position: Int)
    /// How many characters there are, where there should be 26 or 28.
    case wrongLength(Int)
    case wrongCheckCharacters
}

/// 128 random bits on a sheet of paper.
///
///     26 characters of the 16 bytes, the last one with two zero bits; 2 check characters
///
/// - Source: docs/vault-file.md, "The recovery code".
package struct RecoveryCode {
    /// 16 bytes.
    package let secret: SecretBytes

    package static let secretCount = 16
    /// Characters without and with the check characters.
    static let count = 26
    static let fullCount = 28

    /// A new code.
    package init(random: RandomBytes) {
        secret = SecretBytes(count: RecoveryCode.secretCount) { target in
            random.write(into: target)
            return target.count
        }
    }

    /// - Parameter secret: 16 bytes.
    package init(secret: SecretBytes) {
        precondition(secret.count == RecoveryCode.secretCount)
        self.secret = secret
    }

    /// Reads a code as a person types it.
    package init(_ content: SecretBytes) throws(RecoveryCodeError) {
        self = try TypedCode(content).code()
    }

    /// Upper case, seven groups of four with hyphens, the check characters at the end.
    package var text: SecretBytes {
        SecretBytes(count: RecoveryCode.fullCount + 6) { text in
            withValues { values in
                var place = 0
                for (index, value) in values.enumerated() {
                    if index > 0, index.isMultiple(of: 4) {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    text[place] = Crockford32.digit(value)
                    place += 1
                }
            }
            return text.count
        }
    }

    /// Lends the values of all 28 characters.
    func withValues<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let values = SecretBytes(count: RecoveryCode.fullCount) { values in
            secret.withBytes { secret in
                Crockford32.split(
                    secret,
                    into: UnsafeMutableRawBufferPointer(rebasing: values[..<RecoveryCode.count]))
                // The first ten bits of a hash that nothing else is made of.
                var hash = SHA256()
                RecoveryCode.domain.withUnsafeBytes { hash.update($0) }
                hash.update(secret)
                let digest = hash.finish()
                values[RecoveryCode.count] = UInt8(digest.words.0 >> 59)
                values[RecoveryCode.count + 1] = UInt8(digest.words.0 >> 54 & 31)
            }
            return values.count
        }
        return values.withBytes(body)
    }

    private static let domain = Array("sgvault/v1/recovery-code\n".utf8)
}

/// The characters that a person typed, one value each; those that no code has are kept as such.
package struct TypedCode {
    /// A value in 0 … 31, or `impossible`.
    let values: SecretBytes

    static let impossible: UInt8 = 0xFF

    init(values: SecretBytes) {
        self.values = values
    }

    /// Leaves out white space, hyphens and dashes of any kind; of another character than a code has, one counts once.
    package init(_ content: SecretBytes) {
        values = SecretBytes(count: content.count) { values in
            content.withBytes { content in
                var count = 0
                var rest = content[...]
                while let first = rest.first {
                    let length = min(TypedCode.length(of: first), rest.count)
                    if !TypedCode.isSeparator(rest.prefix(length)) {
                        let value = length == 1 ? Crockford32.value(first) : nil
                        values[count] = value ?? TypedCode.impossible
                        count += 1
                    }
                    rest = rest.dropFirst(length)
                }
                return count
            }
        }
    }

    /// Whether it may be the first part of a code: more than one mistake would be needed to make it a whole one.
    package var lacksAPart: Bool { values.count < RecoveryCode.count - 1 }

    /// The code, where it is one.
    package func code() throws(RecoveryCodeError) -> RecoveryCode {
        let bad = values.withBytes { values in
            values.firstIndex(of: TypedCode.impossible)
        }
        if let bad { throw .badCharacter(position: bad + 1) }
        guard values.count == RecoveryCode.count || values.count == RecoveryCode.fullCount else {
            throw .wrongLength(values.count)
        }
        guard let code = TypedCode.code(of: values) else {
            throw .badCharacter(position: RecoveryCode.count)
        }
        guard values.count == RecoveryCode.count || checkCharactersFit(code) else {
            throw .wrongCheckCharacters
        }
        return code
    }

    /// The code of the first 26 values; nil where one is impossible, or the last one has bits that it cannot have.
    static func code(of values: SecretBytes) -> RecoveryCode? {
        values.withBytes { values in
            let values = UnsafeRawBufferPointer(rebasing: values.prefix(RecoveryCode.count))
            guard values.count == RecoveryCode.count, !values.contains(impossible),
                values[RecoveryCode.count - 1] & 3 == 0
            else { return nil }
            return RecoveryCode(
                secret: SecretBytes(count: RecoveryCode.secretCount) { target in
                    Crockford32.join(values, into: target)
                    return target.count
                })
        }
    }

    func checkCharactersFit(_ code: RecoveryCode) -> Bool {
        code.withValues { expected in
            values.withBytes { $0.suffix(2).elementsEqual(expected.suffix(2)) }
        }
    }

    // MARK: -

    /// In bytes; what is no UTF-8 is taken byte by byte.
    private static func length(of lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private static func isSeparator(_ character: Slice<UnsafeRawBufferPointer>) -> Bool {
        switch character.count {
        case 1: [0x20, 0x09, 0x0D, 0x0A, 0x2D].contains(character[character.startIndex])
        // U+00A0, U+00AD.
        case 2: character.elementsEqual([0xC2, 0xA0]) || character.elementsEqual([0xC2, 0xAD])
        case 3:
            switch (Array(character.prefix(2)), character[character.startIndex + 2]) {
            // U+200B, U+2010 to U+2014, U+2212, U+FEFF.
            case ([0xE2, 0x80], 0x8B), ([0xE2, 0x80], 0x90...0x94), ([0xE2, 0x88], 0x92),
                ([0xEF, 0xBB], 0xBF):
                true
            default: false
            }
        default: false
        }
    }
}
