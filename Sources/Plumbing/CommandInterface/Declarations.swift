// What can be asked of a tool. A declaration is written once, in the tool; the parser, `-h`, the man page and
// the completions of three shells are views of it.

/// One flag or option as the parser and the pages see it.
package struct Declaration: Sendable {
    /// One letter, without its dash.
    let short: Character?
    /// A word, without its dashes.
    let long: String?
    let help: String
    /// What the value is called; nil for a flag.
    let placeholder: String?
    let isRepeated: Bool
    /// Whether all that follows it are operands: the words of another command.
    let endsOptions: Bool
    let completion: Completion
    /// Whether the bytes are a value of this option.
    let accepts: @Sendable ([UInt8]) -> Bool

    /// The name it is found by.
    var key: String { long ?? short.map { String($0) } ?? "" }

    /// The name in messages, dashes included: the long one where there is one.
    var spelling: String { long.map { "--" + $0 } ?? "-" + key }

    /// What a shell offers for a value.
    package enum Completion: Sendable {
        case nothing
        case files
        case folders
        case words([String])
    }
}

package protocol Declared: Sendable {
    var declaration: Declaration { get }
}

/// A switch that is on or off.
package struct Flag: Declared {
    package let declaration: Declaration

    /// - Parameters:
    ///   - help: one line for `-h` and the man page, no capital, no full stop.
    ///   - endsOptions: everything after it is an operand; a `--` right behind it is dropped.
    package init(
        _ short: Character?, _ long: String?, _ help: String, endsOptions: Bool = false
    ) {
        declaration = Declaration(
            short: short, long: long, help: help, placeholder: nil, isRepeated: false,
            endsOptions: endsOptions, completion: .nothing, accepts: { _ in false })
    }
}

/// A switch with a value; given several times, the last one counts unless it is `repeated`.
package struct Option<Value>: Declared {
    package let declaration: Declaration
    let parse: @Sendable ([UInt8]) -> Value?

    /// - Parameter parse: the value that the bytes of an argument stand for; nil where they stand for none.
    package init(
        _ short: Character?, _ long: String?, _ placeholder: String, _ help: String,
        repeated: Bool = false, completion: Declaration.Completion = .nothing,
        _ parse: @escaping @Sendable ([UInt8]) -> Value?
    ) {
        declaration = Declaration(
            short: short, long: long, help: help, placeholder: placeholder, isRepeated: repeated,
            endsOptions: false, completion: completion, accepts: { parse($0) != nil })
        self.parse = parse
    }
}

/// What stands first and says which form of the command is meant: `put` in `sgit-vault put`, or two words: `lock add`.
package struct Word: Sendable {
    package let name: String
    let help: String

    /// - Parameters:
    ///   - name: one word, or two with a space between them.
    ///   - help: one line, no capital, no full stop.
    package init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}

/// What an operand is to the parser and the pages.
package struct OperandDeclaration: Sendable {
    let name: String
    let help: String
    let completion: Declaration.Completion
    let accepts: @Sendable ([UInt8]) -> Bool
}

package protocol DeclaredOperand: Sendable {
    var operandDeclaration: OperandDeclaration { get }
}

/// An argument that is told by its place.
package struct Operand<Value>: DeclaredOperand {
    package let operandDeclaration: OperandDeclaration
    let parse: @Sendable ([UInt8]) -> Value?

    package init(
        _ name: String, _ help: String, completion: Declaration.Completion = .nothing,
        _ parse: @escaping @Sendable ([UInt8]) -> Value?
    ) {
        operandDeclaration = OperandDeclaration(
            name: name, help: help, completion: completion, accepts: { parse($0) != nil })
        self.parse = parse
    }
}

/// A part of one form of a command.
package indirect enum UsageElement: Sendable {
    /// The first argument of the forms that it begins.
    case word(Word)
    /// One of these must be given, and only one.
    case exactlyOneOf([any Declared])
    /// At most one of these.
    case atMostOneOf([any Declared])
    /// Any of these, or none.
    case anyOf([any Declared])
    case required(any Declared)
    case operand(any DeclaredOperand, Times)
    case group([UsageElement])

    package enum Times: Sendable {
        case one, optional, oneOrMore, anyNumber
    }

    package static func exactlyOne(_ choices: any Declared...) -> UsageElement {
        .exactlyOneOf(choices)
    }

    package static func atMostOne(_ choices: any Declared...) -> UsageElement {
        .atMostOneOf(choices)
    }

    package static func any(_ choices: any Declared...) -> UsageElement { .anyOf(choices) }

    package static func one(_ operand: any DeclaredOperand) -> UsageElement {
        .operand(operand, .one)
    }

    package static func optional(_ operand: any DeclaredOperand) -> UsageElement {
        .operand(operand, .optional)
    }

    package static func oneOrMore(_ operand: any DeclaredOperand) -> UsageElement {
        .operand(operand, .oneOrMore)
    }

    package static func anyNumber(_ operand: any DeclaredOperand) -> UsageElement {
        .operand(operand, .anyNumber)
    }

    /// This element with its groups opened.
    var parts: [UsageElement] {
        if case .group(let elements) = self { return elements.flatMap(\.parts) }
        return [self]
    }

    var declarations: [Declaration] {
        switch self {
        case .exactlyOneOf(let choices), .atMostOneOf(let choices), .anyOf(let choices):
            choices.map(\.declaration)
        case .required(let choice): [choice.declaration]
        case .operand, .word: []
        case .group(let elements): elements.flatMap(\.declarations)
        }
    }
}
