import Encodings
import SecretMemory

/// What was wrong with a code as it was typed; positions count from 1.
package enum RecoveryCodeFault: Equatable {
    case wrong(position: Int, rightly: Unicode.Scalar)
    /// With the one behind it.
    case swapped(position: Int)
    case missing(position: Int, rightly: Unicode.Scalar)
    case tooMany(position: Int)
    case checkCharacters
}

/// A code that opens, with what had to be changed for it; nil where it was right.
package struct RepairedCode {
    package let code: RecoveryCode
    package let fault: RecoveryCodeFault?
}

extension TypedCode {
    /// Looks for the code that was meant: with nothing changed, else with one fault mended.
    ///
    /// The check characters say that something is wrong and not what; only a lock can tell. Some 830 codes are tried.
    /// - Parameter opens: whether a code is the right one.
    package func repaired(opens: (RecoveryCode) throws -> Bool) rethrows -> RepairedCode? {
        let count = values.count
        // One fault makes a code no longer than by one.
        guard count <= RecoveryCode.fullCount + 1 else { return nil }
        // What follows the 26, typed as it may be, does not count.
        if count >= RecoveryCode.count, let code = TypedCode.code(of: values), try opens(code) {
            let isRight =
                count == RecoveryCode.count
                || count == RecoveryCode.fullCount && checkCharactersFit(code)
            return RepairedCode(code: code, fault: isRight ? nil : .checkCharacters)
        }
        for candidate in candidates() {
            let mended = changed(by: candidate)
            guard let code = TypedCode.code(of: mended), try opens(code) else { continue }
            // The last of the 26 swapped with a check character is told from one that is wrong by the check.
            if case .swap(RecoveryCode.count - 1) = candidate,
                !TypedCode(values: mended).checkCharactersFit(code)
            {
                continue
            }
            return RepairedCode(code: code, fault: TypedCode.fault(candidate))
        }
        return nil
    }

    // MARK: -

    private enum Change {
        case replace(Int, UInt8)
        case swap(Int)
        case insert(Int, UInt8)
        case remove(Int)
    }

    /// The changes that lead from a text of this length to a code; the few before the many.
    private func candidates() -> [Change] {
        let places = 0..<RecoveryCode.count
        let digits = UInt8(0)..<32
        let count = values.count
        var changes: [Change] = []
        if count == RecoveryCode.count || count == RecoveryCode.fullCount {
            changes += (0..<min(count - 1, RecoveryCode.count)).map { .swap($0) }
            changes += places.flatMap { place in digits.map { .replace(place, $0) } }
        }
        if count == RecoveryCode.count + 1 || count == RecoveryCode.fullCount + 1 {
            changes += (0...RecoveryCode.count).map { .remove($0) }
        }
        if count == RecoveryCode.count - 1 || count == RecoveryCode.fullCount - 1 {
            changes += places.flatMap { place in digits.map { .insert(place, $0) } }
        }
        return changes
    }

    private func changed(by change: Change) -> SecretBytes {
        SecretBytes(count: values.count + 1) { target in
            values.withBytes { values in
                target.copyMemory(from: values)
                switch change {
                case .replace(let place, let value):
                    target[place] = value
                    return values.count
                case .swap(let place):
                    target.swapAt(place, place + 1)
                    return values.count
                case .insert(let place, let value):
                    for index in stride(from: values.count, to: place, by: -1) {
                        target[index] = values[index - 1]
                    }
                    target[place] = value
                    return values.count + 1
                case .remove(let place):
                    for index in place..<values.count - 1 { target[index] = values[index + 1] }
                    return values.count - 1
                }
            }
        }
    }

    private static func fault(_ change: Change) -> RecoveryCodeFault {
        func scalar(_ value: UInt8) -> Unicode.Scalar { Unicode.Scalar(Crockford32.digit(value)) }
        return switch change {
        case .replace(let place, let value): .wrong(position: place + 1, rightly: scalar(value))
        case .swap(let place): .swapped(position: place + 1)
        case .insert(let place, let value): .missing(position: place + 1, rightly: scalar(value))
        case .remove(let place): .tooMany(position: place + 1)
        }
    }
}
