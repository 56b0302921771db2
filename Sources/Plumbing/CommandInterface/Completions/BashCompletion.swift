/// Completion for bash: a function that fills COMPREPLY.
package enum BashCompletion {
    package static func text(of tool: Tool) -> String {
        let function = "_" + String(tool.name.map { $0 == "-" ? "_" : $0 })
        let words = CompletionWords.all(of: tool).joined(separator: " ")
        var cases = ""
        for declaration in tool.declarations where declaration.placeholder != nil {
            let names = CompletionWords.names(of: declaration).joined(separator: "|")
            let action =
                switch declaration.completion {
                case .nothing: "COMPREPLY=()"
                case .files:
                    "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
                case .folders:
                    "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
                case .words(let list):
                    "mapfile -t COMPREPLY < <(compgen -W '\(list.joined(separator: " "))' -- \"$word\")"
                }
            cases += "    \(names)) \(action); return ;;\n"
        }
        return """
            # bash completion for \(tool.name)
            # shellcheck shell=bash
            \(function)() {
              local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
              # `--option=value` comes as three words.
              if [[ $word == = ]]; then
                word=
              elif [[ $before == = ]]; then
                before=${COMP_WORDS[COMP_CWORD-2]}
              fi
              case $before in
            \(cases)    --) COMPREPLY=(); return ;;
              esac
              if [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W '\(words)' -- "$word")
              fi
            }
            complete -F \(function) \(tool.name)

            """
    }
}

/// The option words that all three shells offer.
enum CompletionWords {
    static func names(of declaration: Declaration) -> [String] {
        [declaration.short.map { "-\($0)" }, declaration.long.map { "--\($0)" }].compactMap { $0 }
    }

    static func all(of tool: Tool) -> [String] {
        tool.declarations.flatMap(names) + ["-h", "--help", "--version"]
    }
}
