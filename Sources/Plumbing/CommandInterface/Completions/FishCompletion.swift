/// Completion for fish: one `complete` line an option.
package enum FishCompletion {
    package static func text(of tool: Tool) -> String {
        var text = "# fish completion for \(tool.name)\ncomplete -c \(tool.name) -f\n"
        for declaration in tool.declarations {
            text += "complete -c \(tool.name)"
            if let short = declaration.short { text += " -s \(short)" }
            if let long = declaration.long { text += " -l \(long)" }
            text += action(of: declaration) + " -d '\(escaped(declaration.help))'\n"
        }
        text += "complete -c \(tool.name) -s h -d 'print this help'\n"
        text += "complete -c \(tool.name) -l help -d 'open the manual'\n"
        text += "complete -c \(tool.name) -l version -d 'print the version'\n"
        return text
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
