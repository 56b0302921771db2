/// Completion for zsh: one call of `_arguments`, and with commands one a command.
package enum ZshCompletion {
    package static func text(of tool: Tool) -> String {
        var text = "#compdef \(tool.name)\n# zsh completion for \(tool.name)\n"
        if !tool.words.isEmpty {
            text += "local -a commands=(\n"
            for word in tool.firstWords { text += row(word.name, word.help) }
            text += ")\n"
            text += "if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
            text += "  _describe command commands\n  return\nfi\n"
            text += "case $words[2] in\n"
            for first in tool.firstWords {
                text += "\(first.name))\n"
                if !first.pairs.isEmpty { text += pairs(first, of: tool) }
                text += "  shift words\n  (( CURRENT-- ))\n"
                text += arguments(
                    of: first.alone.map { tool.part($0.name) } ?? Tool("", "", usage: []))
                text += "  return ;;\n"
            }
            text += "esac\n"
        }
        return text + arguments(of: tool.wordless)
    }

    private static func row(_ name: String, _ help: String) -> String {
        "  '\(name):\(escaped(help))'\n"
    }

    /// The commands of two words that begin with this one.
    private static func pairs(_ first: FirstWord, of tool: Tool) -> String {
        var text = "  commands=(\n"
        for pair in first.pairs { text += row(pair.parts[1], pair.help) }
        text += "  )\n"
        text += "  if (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then\n"
        text += "    _describe command commands\n    return\n  fi\n"
        text += "  case $words[3] in\n"
        for pair in first.pairs {
            text += "  \(pair.parts[1]))\n  shift 2 words\n  (( CURRENT -= 2 ))\n"
            text += arguments(of: tool.part(pair.name)) + "  return ;;\n"
        }
        return text + "  esac\n"
    }

    private static func arguments(of tool: Tool) -> String {
        var lines: [String] = []
        for declaration in tool.declarations {
            for name in CompletionWords.names(of: declaration) {
                var spec = name
                if declaration.placeholder != nil { spec += name.hasPrefix("--") ? "=" : "+" }
                spec += "[\(escaped(declaration.help))]"
                if declaration.endsOptions {
                    spec = "(-)\(spec):command: _command_names -e:*::argument: _normal"
                }
                if let placeholder = declaration.placeholder {
                    spec += ":\(placeholder):\(action(of: declaration.completion))"
                }
                lines.append("'\(declaration.isRepeated ? "*" : "")\(spec)'")
            }
        }
        lines += [
            "'-h[print this help]'", "'--help[open the manual]'", "'--version[print the version]'",
        ]
        let operands = tool.operandDeclarations
        let fileOperand = operands.first { if case .files = $0.completion { true } else { false } }
        if let operand = fileOperand ?? operands.first {
            lines.append("'*:\(operand.name):\(action(of: operand.completion))'")
        }
        return "_arguments -S \\\n  \(lines.joined(separator: " \\\n  "))\n"
    }

    private static func action(of completion: Declaration.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "'": escaped += "'\\''"
            case "[", "]", ":", "\\": escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
