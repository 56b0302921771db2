import Encodings
package import Objects

/// A name for an object as a person writes it, not yet looked up.
///
///     name = base *step
///     base = full id | 4 or more of its hex digits, with or without `obj-cas-imm-` | branch | tag | "@"
///     step = "~" [n] | "^" [n] | "^{tree}" | ":" path          a path is the last step
package struct ObjectName {
    package enum Base {
        case id(ObjectID)
        /// The head of `current`.
        case head
        case text([UInt8])
    }

    package enum Step {
        /// The n-th first parent.
        case ancestor(Int)
        /// The n-th parent, from 1; 0 is the commit itself.
        case parent(Int)
        case tree
        case path([UInt8])
    }

    package let base: Base
    package let steps: [Step]
    /// As it was written.
    package let text: [UInt8]

    /// Nil where the base is empty or a step has another form.
    package init?(_ text: [UInt8]) {
        self.text = text
        if let id = ObjectID(text) {
            base = .id(id)
            steps = []
            return
        }
        let isStep: (UInt8) -> Bool = {
            [UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: ":")].contains($0)
        }
        let name = text.prefix { !isStep($0) }
        guard !name.isEmpty, let steps = ObjectName.steps(text[name.endIndex...]) else {
            return nil
        }
        self.steps = steps
        base =
            if let id = ObjectID(name) {
                .id(id)
            } else if name.elementsEqual("@".utf8) {
                .head
            } else {
                .text(Array(name))
            }
    }

    /// The hex digits of a base that may be the beginning of an id; nil for any other base.
    package var prefixDigits: [UInt8]? {
        guard case .text(let text) = base else { return nil }
        let prefixCount = ObjectID.prefix.utf8CodeUnitCount
        let hasPrefix = text.prefix(prefixCount).isEqual(to: ObjectID.prefix)
        let digits = hasPrefix ? text.dropFirst(prefixCount) : text[...]
        guard (4...32).contains(digits.count), digits.allSatisfy({ Hex.value($0) != nil }) else {
            return nil
        }
        return Array(digits)
    }

    private static func steps(_ text: ArraySlice<UInt8>) -> [Step]? {
        var rest = text
        var steps: [Step] = []
        while let mark = rest.popFirst() {
            if mark == UInt8(ascii: ":") {
                steps.append(.path(Array(rest)))
                return steps
            }
            if mark == UInt8(ascii: "^"), rest.starts(with: "{tree}".utf8) {
                steps.append(.tree)
                rest = rest.dropFirst("{tree}".utf8.count)
                continue
            }
            let digits = rest.prefix { $0.isDigit }
            rest = rest.dropFirst(digits.count)
            // A number past 63 bits goes past every history, as the largest one does.
            let count = digits.isEmpty ? 1 : Decimal.parse(digits) ?? Int.max
            switch mark {
            case UInt8(ascii: "~"): steps.append(.ancestor(count))
            case UInt8(ascii: "^"): steps.append(.parent(count))
            default: return nil
            }
        }
        return steps
    }
}

/// Why a name stands for no object.
package enum ObjectNameError: Error {
    /// Nothing is called that.
    case unknown(name: [UInt8])
    /// More than one thing is called that.
    case ambiguous(name: [UInt8], candidates: [String])
    /// The object is not of the kind that is asked for.
    case wrongKind(name: [UInt8], expected: ObjectKind)
    /// The commit has fewer parents, or fewer ancestors.
    case noSuchParent(name: [UInt8], number: Int)
    /// The index lists the branch, and the store has no ref for it.
    case noRef(branch: [UInt8])
    case noSuchPath(path: [UInt8], name: [UInt8])
    /// The branch has no commit yet.
    case emptyBranch(name: [UInt8])
}
