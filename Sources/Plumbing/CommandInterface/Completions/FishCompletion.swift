/// Completion for fish: one `complete` line an option.
package enum FishCompletion {
    package static func text(of tool: Tool) -> String {
        var text = "# fish completion for \(tool.name)\n"
        var start = "complete -c \(tool.name)"
        text += "\(start) -f\n"
        let ending = CompletionWords.endingOptions(of: tool)
        if !ending.isEmpty {
            let seen = ending.map { "contains -- \($0) (commandline -opc)" }
                .joined(separator: "; or ")
            text += "\(start) -n '\(seen)' -F -a '(__fish_complete_command)'\n"
            start += " -n 'not begin; \(seen); end'"
        }
        let names = tool.words.map(\.name).joined(separator: " ")
        for word in tool.words {
            text += "\(start) -n 'not __fish_seen_subcommand_from \(names)'"
            text += " -a \(word.name) -d '\(escaped(word.help))'\n"
        }
        let unless =
            tool.words.isEmpty ? "" : " -n 'not __fish_seen_subcommand_from \(names)'"
        text += lines(of: tool.wordless, start + unless)
        for word in tool.words {
            text += lines(
                of: tool.part(word.name), "\(start) -n '__fish_seen_subcommand_from \(word.name)'")
        }
        text += "\(start) -s h -d 'print this help'\n"
        text += "\(start) -l help -d 'open the manual'\n"
        text += "\(start) -l version -d 'print the version'\n"
        return text
    }

    private static func lines(of tool: Tool, _ start: String) -> String {
        var text = ""
        for declaration in tool.declarations {
            text += start
            if let short = declaration.short { text += " -s \(short)" }
            if let long = declaration.long { text += " -l \(long)" }
            text += action(of: declaration) + " -d '\(escaped(declaration.help))'\n"
        }
        let takesFiles = tool.operandDeclarations.contains {
            if case .files = $0.completion { true } else { false }
        }
        return takesFiles ? text + "\(start) -F\n" : text
    }

    private static func action(of declaration: Declaration) -> String {
        guard declaration.placeholder != nil else { return "" }
        return switch declaration.completion {
        case .nothing: " -x"
        case .files: " -r -F"
        case .folders: " -x -a '(__fish_complete_directories)'"
        case .words(let words): " -x -a '\(words.joined(separator: " "))'"
        }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "'" || character == "\\" { escaped += "\\" }
            escaped.append(character)
        }
        return escaped
    }
}
