/// Completion for zsh: one call of `_arguments`.
package enum ZshCompletion {
    package static func text(of tool: Tool) -> String {
        var lines: [String] = []
        for declaration in tool.declarations {
            for name in CompletionWords.names(of: declaration) {
                var spec = name
                if declaration.placeholder != nil { spec += name.hasPrefix("--") ? "=" : "+" }
                spec += "[\(escaped(declaration.help))]"
                if let placeholder = declaration.placeholder {
                    spec += ":\(placeholder):\(action(of: declaration))"
                }
                lines.append("'\(declaration.isRepeated ? "*" : "")\(spec)'")
            }
        }
        lines += [
            "'-h[print this help]'", "'--help[open the manual]'", "'--version[print the version]'",
        ]
        if let operand = tool.operandDeclarations.first { lines.append("'*:\(operand.name): '") }
        return """
            #compdef \(tool.name)
            # zsh completion for \(tool.name)
            _arguments -S \\
              \(lines.joined(separator: " \\\n  "))

            """
    }

    private static func action(of declaration: Declaration) -> String {
        switch declaration.completion {
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
