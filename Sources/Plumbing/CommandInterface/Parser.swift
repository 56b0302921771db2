// From argv to an Invocation. The rules: no abbreviations; `--x=v` and `--x v`; joined short flags (`-rz`), a
// short option's value joined or next (`-n5`, `-n 5`); options may follow operands; `--` ends options; a
// repeated option's last value counts unless it is declared repeated; behind a flag that ends options all
// that follows belongs to another command.

/// A call that does not fit the tool's usage.
package struct UsageError: Error, Equatable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// What argv asks for.
package enum Request {
    case shortHelp
    case manual
    case version
    case run(ParsedArguments)
}

/// The values of one call by the key of their declaration, as bytes.
package struct ParsedArguments {
    package var given: [String: [[UInt8]]] = [:]
    package var operands: [String: [[UInt8]]] = [:]

    package init() {}
}

package struct Parser {
    package let forms: [[UsageElement]]
    private let declarations: [Declaration]

    package init(forms: [[UsageElement]]) {
        self.forms = forms.map { $0.flatMap(\.parts) }
        var seen: Set<String> = []
        declarations = forms.flatMap { $0.flatMap(\.declarations) }
            .filter { seen.insert($0.key).inserted }
    }

    package func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Request {
        var parsed = ParsedArguments()
        var order: [Declaration] = []
        var operands: [[UInt8]] = []
        // Those behind a flag that ends options; nil where none was given.
        var command: [[UInt8]]?
        var rest = arguments[...]

        func note(_ declaration: Declaration, _ value: [UInt8]?) throws(UsageError) {
            if let value, !declaration.accepts(value) {
                if case .words(let words) = declaration.completion {
                    throw UsageError(
                        "option '\(declaration.spelling)' takes one of \(words.joined(separator: ", ")), not \(quoted(value))"
                    )
                }
                throw UsageError(
                    "option '\(declaration.spelling)' takes <\(declaration.placeholder ?? "")>, not \(quoted(value))"
                )
            }
            if parsed.given[declaration.key] == nil { order.append(declaration) }
            parsed.given[declaration.key, default: []].append(value ?? [])
            guard declaration.endsOptions else { return }
            if rest.first?.elementsEqual("--".utf8) == true { rest.removeFirst() }
            command = Array(rest)
            rest = []
        }

        while let argument = rest.popFirst() {
            if argument.elementsEqual("--".utf8) {
                operands += rest
                break
            } else if argument.starts(with: "--".utf8) {
                let body = argument.dropFirst(2)
                let name = body.prefix { $0 != UInt8(ascii: "=") }
                let word = String(decoding: name, as: UTF8.self)
                let value =
                    name.endIndex < body.endIndex ? Array(body[(name.endIndex + 1)...]) : nil
                if value == nil, word == "help" { return .manual }
                if value == nil, word == "version" { return .version }
                guard let found = declarations.first(where: { $0.long == word }) else {
                    throw UsageError("unknown option \(quoted(Array("--".utf8) + name))")
                }
                if found.placeholder == nil {
                    guard value == nil else {
                        throw UsageError("option '\(found.spelling)' takes no value")
                    }
                    try note(found, nil)
                } else {
                    guard let value = value ?? rest.popFirst() else {
                        throw UsageError("option '\(found.spelling)' needs a value")
                    }
                    try note(found, value)
                }
            } else if argument.count > 1, argument[0] == UInt8(ascii: "-") {
                var letters = argument.dropFirst()
                while let letter = letters.popFirst() {
                    if letter == UInt8(ascii: "h") { return .shortHelp }
                    let character = Character(Unicode.Scalar(letter))
                    guard let found = declarations.first(where: { $0.short == character }) else {
                        throw UsageError("unknown option \(quoted([UInt8(ascii: "-"), letter]))")
                    }
                    if found.placeholder == nil {
                        try note(found, nil)
                        continue
                    }
                    guard let value = letters.isEmpty ? rest.popFirst() : Array(letters) else {
                        throw UsageError("option '-\(character)' needs a value")
                    }
                    try note(found, value)
                    break
                }
            } else {
                operands.append(argument)
            }
        }

        // The form that knows most of what was given speaks for all of them.
        let known = forms.map { form in
            let keys = Set(form.flatMap(\.declarations).map(\.key))
            return order.filter { keys.contains($0.key) }.count
        }
        let best = known.max() ?? 0
        var problem: UsageError?
        for (form, count) in zip(forms, known) where count == best {
            switch match(form, given: order, operands: operands, command: command) {
            case .success(let assigned):
                parsed.operands = assigned
                return .run(parsed)
            case .failure(let error): problem = problem ?? error
            }
        }
        throw problem ?? UsageError("nothing to do")
    }

    /// The operands by name, where the call fits the form.
    private func match(
        _ form: [UsageElement], given: [Declaration], operands: [[UInt8]], command: [[UInt8]]?
    ) -> Result<[String: [[UInt8]]], UsageError> {
        let keys = Set(form.flatMap(\.declarations).map(\.key))
        if let stranger = given.first(where: { !keys.contains($0.key) }) {
            let friend = given.first { keys.contains($0.key) }
            return .failure(
                UsageError(
                    friend.map { "'\($0.spelling)' and '\(stranger.spelling)' do not go together" }
                        ?? "option '\(stranger.spelling)' does not fit here"))
        }
        let givenKeys = Set(given.map(\.key))
        var rest = operands[...]
        var assigned: [String: [[UInt8]]] = [:]
        for element in form {
            if let command, element.declarations.contains(where: \.endsOptions) {
                // What stands before the flag is none of the command's.
                if let extra = rest.first { return .failure(Parser.unexpected(extra)) }
                rest = command[...]
            }
            switch element {
            case .exactlyOneOf(let choices), .atMostOneOf(let choices):
                let chosen = choices.map(\.declaration).filter { givenKeys.contains($0.key) }
                if chosen.count > 1 {
                    return .failure(
                        UsageError(
                            "'\(chosen[0].spelling)' and '\(chosen[1].spelling)' do not go together"
                        ))
                }
                if chosen.isEmpty, case .exactlyOneOf = element {
                    let names = choices.map { "'\($0.declaration.spelling)'" }
                    return .failure(UsageError("one of \(names.joined(separator: ", ")) is needed"))
                }
            case .required(let choice) where !givenKeys.contains(choice.declaration.key):
                return .failure(UsageError("'\(choice.declaration.spelling)' is needed"))
            case .operand(let operand, let times):
                let declaration = operand.operandDeclaration
                var taken: [[UInt8]] = []
                repeat {
                    guard let value = rest.popFirst() else { break }
                    guard declaration.accepts(value) else {
                        return .failure(
                            UsageError("\(quoted(value)) is no <\(declaration.name)>"))
                    }
                    taken.append(value)
                } while times == .oneOrMore || times == .anyNumber
                if taken.isEmpty, times == .one || times == .oneOrMore {
                    return .failure(UsageError("<\(declaration.name)> is missing"))
                }
                assigned[declaration.name] = taken
            default: break
            }
        }
        if let extra = rest.first { return .failure(Parser.unexpected(extra)) }
        return .success(assigned)
    }

    private static func unexpected(_ operand: [UInt8]) -> UsageError {
        UsageError("unexpected operand \(quoted(operand))")
    }
}
