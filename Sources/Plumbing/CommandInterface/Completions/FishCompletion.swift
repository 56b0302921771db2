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
        let first = tool.firstWords
        let unless = first.isEmpty ? "" : " -n '\(lacks(first.map(\.name), of: tool, behind: nil))'"
        for word in first {
            text += "\(start)\(unless) -a \(word.name) -d '\(escaped(word.help))'\n"
            let behind = lacks(word.pairs.map { $0.parts[1] }, of: tool, behind: word.name)
            for pair in word.pairs {
                text += "\(start) -n '\(behind)' -a \(pair.parts[1]) -d '\(escaped(pair.help))'\n"
            }
        }
        text += lines(of: tool.wordless, start + unless)
        for word in tool.words {
            text += lines(of: tool.part(word.name), "\(start) -n '\(has(word, of: tool))'")
        }
        text += "\(start) -s h -d 'print this help'\n"
        text += "\(start) -l help -d 'open the manual'\n"
        text += "\(start) -l version -d 'print the version'\n"
        return text
    }

    // Where a command has two words, the second may be the first of another, so that the place counts.

    /// The test for a command.
    private static func has(_ word: Word, of tool: Tool) -> String {
        guard tool.hasPairs else { return "__fish_seen_subcommand_from \(word.name)" }
        return zip(word.parts, 2...).map { "contains -- \($0) (commandline -opc)[\($1)]" }
            .joined(separator: "; and ")
    }

    /// The test for a place where one of these may stand; where nothing does, `contains` looks for the first one in the rest.
    private static func lacks(_ names: [String], of tool: Tool, behind first: String?) -> String {
        let list = names.joined(separator: " ")
        guard tool.hasPairs else { return "not __fish_seen_subcommand_from \(list)" }
        guard let first else { return "not contains -- (commandline -opc)[2] \(list)" }
        return
            "contains -- \(first) (commandline -opc)[2]; and not contains -- (commandline -opc)[3] \(list)"
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
