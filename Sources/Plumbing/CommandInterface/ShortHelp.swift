/// What `-h` prints.
package enum ShortHelp {
    package static func text(of tool: Tool) -> String {
        var text = ""
        for (index, form) in tool.forms.enumerated() {
            text += wrapped(index == 0 ? "usage: " : "   or: ", tool.name, Synopsis.words(of: form))
        }
        let isOfCommands = tool.words.count > 1
        text += "\n\(tool.words.count == 1 ? tool.words[0].help : tool.summary)\n\n"
        if isOfCommands {
            for word in tool.words { text += row(word.name, word.help) }
            text += "\n"
        }
        // With commands, each has a help of its own.
        let tool = isOfCommands ? tool.wordless : tool
        for operand in tool.operandDeclarations {
            text += row("<\(operand.name)>", operand.help)
        }
        for declaration in tool.declarations {
            text += row(Synopsis.spellings(of: declaration), declaration.help)
        }
        text += row(
            "-h", isOfCommands ? "print this help; after a command, its own" : "print this help")
        text += row("--help", "open the manual")
        text += row("--version", "print the version")
        if let no = tool.answersNo { text += "\nexit status 1: \(no)\n" }
        return text
    }

    private static func row(_ left: String, _ right: String) -> String {
        let column = 28
        let start = "    " + left
        if start.utf8.count + 2 > column {
            return start + "\n" + String(repeating: " ", count: column) + right + "\n"
        }
        return start + String(repeating: " ", count: column - start.utf8.count) + right + "\n"
    }

    private static func wrapped(_ lead: String, _ name: String, _ words: [String]) -> String {
        let indent = String(repeating: " ", count: lead.utf8.count + name.utf8.count + 1)
        var lines = [lead + name]
        for word in words {
            if lines[lines.count - 1].utf8.count + 1 + word.utf8.count > 90 {
                lines.append(indent + word)
            } else {
                lines[lines.count - 1] += " " + word
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// A form of a command in words: what `-h` and the page's SYNOPSIS both show.
enum Synopsis {
    static func words(of form: [UsageElement]) -> [String] {
        form.flatMap(\.parts).flatMap { element -> [String] in
            switch element {
            case .exactlyOneOf(let choices):
                choices.count == 1
                    ? [use(of: choices[0].declaration)]
                    : ["(" + choices.map { use(of: $0.declaration) }.joined(separator: " | ") + ")"]
            case .atMostOneOf(let choices):
                ["[" + choices.map { use(of: $0.declaration) }.joined(separator: " | ") + "]"]
            case .anyOf(let choices):
                choices.map { choice in
                    "[\(use(of: choice.declaration))]"
                        + (choice.declaration.isRepeated ? "..." : "")
                }
            case .required(let choice): [use(of: choice.declaration)]
            case .operand(let operand, let times):
                switch times {
                case .one: ["<\(operand.operandDeclaration.name)>"]
                case .optional: ["[<\(operand.operandDeclaration.name)>]"]
                case .oneOrMore: ["<\(operand.operandDeclaration.name)>..."]
                case .anyNumber: ["[<\(operand.operandDeclaration.name)>...]"]
                }
            case .word(let word): [word.name]
            case .group: []
            }
        }
    }

    /// `-p`, or `--format <format>`: the short spelling where there is one.
    private static func use(of declaration: Declaration) -> String {
        let name = declaration.short.map { "-\($0)" } ?? declaration.spelling
        return declaration.placeholder.map { "\(name) <\($0)>" } ?? name
    }

    /// `-n, --max-count <count>`.
    static func spellings(of declaration: Declaration) -> String {
        let names = [declaration.short.map { "-\($0)" }, declaration.long.map { "--\($0)" }]
            .compactMap { $0 }.joined(separator: ", ")
        return declaration.placeholder.map { "\(names) <\($0)>" } ?? names
    }
}

extension Tool {
    /// All flags and options of all forms, each once, in the order of the forms; two commands may mean two things
    /// by one name.
    var declarations: [Declaration] {
        var seen: Set<[String]> = []
        return forms.flatMap { $0.flatMap(\.declarations) }
            .filter { seen.insert([$0.key, $0.help]).inserted }
    }

    /// All operands of all forms, each once.
    var operandDeclarations: [OperandDeclaration] {
        var seen: Set<String> = []
        return forms.flatMap { $0.flatMap(\.parts) }.compactMap { element in
            guard case .operand(let operand, _) = element else { return nil }
            return operand.operandDeclaration
        }.filter { seen.insert($0.name).inserted }
    }
}
