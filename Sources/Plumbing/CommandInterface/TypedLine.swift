import SecretMemory

/// The line that a person types, with what the keys that erase do to it.
final class TypedLine {
    private let storage: SecretBytes
    private let bytes: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private(set) var isTooLong = false

    enum Effect: Equatable {
        /// How many characters go off the screen, and the byte that comes onto it.
        case goesOn(erased: Int, shown: UInt8?)
        case ended
        /// The end of input, typed on an empty line.
        case closed
    }

    private static let backspace: UInt8 = 0x08
    private static let delete: UInt8 = 0x7F
    private static let eraseLine: UInt8 = 0x15  // ^U
    private static let eraseWord: UInt8 = 0x17  // ^W
    private static let endOfInput: UInt8 = 0x04  // ^D

    init(limit: Int) {
        var lent = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        storage = SecretBytes(count: limit) { target in
            lent = target
            return limit
        }
        // The memory is the secret's own and lives as long as it.
        bytes = lent
    }

    func take(_ byte: UInt8) -> Effect {
        switch byte {
        case 0x0A, 0x0D: return .ended
        case TypedLine.endOfInput: return count == 0 ? .closed : .ended
        case TypedLine.backspace, TypedLine.delete: return .goesOn(erased: erase(), shown: nil)
        case TypedLine.eraseLine: return .goesOn(erased: erase { _ in true }, shown: nil)
        case TypedLine.eraseWord:
            let blanks = erase { $0 == 0x20 }
            return .goesOn(erased: blanks + erase { $0 != 0x20 }, shown: nil)
        case 0x00..<0x20: return .goesOn(erased: 0, shown: nil)
        default:
            guard count < bytes.count else {
                isTooLong = true
                return .goesOn(erased: 0, shown: nil)
            }
            bytes[count] = byte
            count += 1
            return .goesOn(erased: 0, shown: byte)
        }
    }

    var answer: SecretBytes { storage.copy(0..<count) }

    /// Takes the last character away; how many there were, one or none.
    private func erase() -> Int {
        guard count > 0 else { return 0 }
        repeat {
            count -= 1
        } while count > 0 && bytes[count] & 0xC0 == 0x80
        return 1
    }

    /// Takes characters away as long as their last byte is one of those.
    private func erase(while isErased: (UInt8) -> Bool) -> Int {
        var erased = 0
        while count > 0, isErased(bytes[count - 1]) { erased += erase() }
        return erased
    }
}
