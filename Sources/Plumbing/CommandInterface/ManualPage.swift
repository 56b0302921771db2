/// The generated blocks of a tool's page, in mdoc(7): NAME and SYNOPSIS, OPTIONS, EXIT STATUS.
///
/// The rest of the page is written by hand around them; `man/update` puts each block between its marks.
package enum ManualPage {
    package static func text(of tool: Tool) -> String {
        [heading(of: tool), options(of: tool), exitStatus(of: tool)]
            .map { ".\\\" generated: begin\n\($0).\\\" generated: end\n" }.joined()
    }

    private static func heading(of tool: Tool) -> String {
        var text = ".Sh NAME\n.Nm \(tool.name)\n.Nd \(escaped(tool.summary))\n.Sh SYNOPSIS\n"
        for form in tool.forms {
            text += ".Nm\n"
            for element in form.flatMap(\.parts) { text += synopsis(of: element) }
        }
        return text
    }

    private static func synopsis(of element: UsageElement) -> String {
        switch element {
        case .exactlyOneOf(let choices):
            choices.count == 1
                ? "." + use(of: choices[0].declaration) + "\n"
                : ".Pq " + choices.map { use(of: $0.declaration) }.joined(separator: " | ") + "\n"
        case .atMostOneOf(let choices):
            ".Op " + choices.map { use(of: $0.declaration) }.joined(separator: " | ") + "\n"
        case .anyOf(let choices):
            choices.map { choice in
                ".Op " + use(of: choice.declaration)
                    + (choice.declaration.isRepeated ? " Ns ...\n" : "\n")
            }.joined()
        case .required(let choice): "." + use(of: choice.declaration) + "\n"
        case .operand(let operand, let times):
            switch times {
            case .one: ".Ar \(operand.operandDeclaration.name)\n"
            case .optional: ".Op Ar \(operand.operandDeclaration.name)\n"
            case .oneOrMore: ".Ar \(operand.operandDeclaration.name) ...\n"
            case .anyNumber: ".Op Ar \(operand.operandDeclaration.name) ...\n"
            }
        case .word(let word): ".Cm \(word.name)\n"
        case .group: ""
        }
    }

    private static func use(of declaration: Declaration) -> String {
        let name = declaration.short.map { "Fl \($0)" } ?? "Fl -\(declaration.long ?? "")"
        return declaration.placeholder.map { "\(name) Ar \($0)" } ?? name
    }

    private static func options(of tool: Tool) -> String {
        var text = ""
        if !tool.words.isEmpty {
            text += ".Sh COMMANDS\n.Bl -tag -width Ds\n"
            for word in tool.words { text += ".It Cm \(word.name)\n\(sentence(word.help))\n" }
            text += ".El\n"
        }
        text += ".Sh OPTIONS\n.Bl -tag -width Ds\n"
        for operand in tool.operandDeclarations {
            text += ".It Ar \(operand.name)\n\(sentence(operand.help))\n"
        }
        for declaration in tool.declarations {
            let value = declaration.placeholder.map { " Ar \($0)" } ?? ""
            let names = [
                declaration.short.map { "Fl \($0)\(value)" },
                declaration.long.map { "Fl -\($0)\(value)" },
            ].compactMap { $0 }.joined(separator: " , ")
            text += ".It \(names)\n\(sentence(declaration.help))\n"
        }
        text += ".It Fl h\nPrint a short help.\n"
        text += ".It Fl -help\nOpen this page.\n"
        text += ".It Fl -version\nPrint the version.\n"
        return text + ".El\n"
    }

    private static func exitStatus(of tool: Tool) -> String {
        var text = ".Sh EXIT STATUS\n.Bl -tag -width 128\n"
        for status in ExitStatus.allCases {
            var meaning = status.meaning
            switch status {
            case .no:
                guard let no = tool.answersNo else { continue }
                meaning = no
            case .moved where !tool.moves: continue
            default: break
            }
            text += ".It \(status.rawValue)\n\(sentence(meaning))\n"
        }
        return text + ".El\n.Pp\nThe whole table is in\n.Xr sgit-exit-codes 7 .\n"
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst()) + "."
    }

    /// Text that roff shows as it stands.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'" where escaped.isEmpty, "." where escaped.isEmpty: escaped += "\\&\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
