/// Completion for bash: a function that fills COMPREPLY.
package enum BashCompletion {
    package static func text(of tool: Tool) -> String {
        let function = "_" + String(tool.name.map { $0 == "-" ? "_" : $0 })
        let names = CompletionWords.wordless(of: tool).joined(separator: " ")
        return """
            # bash completion for \(tool.name)
            # shellcheck shell=bash
            \(function)() {
              local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words='\(names)' files=\(CompletionWords.takesFiles(tool, nil) ? "yes" : "")
              # `--option=value` comes as three words.
              if [[ $word == = ]]; then
                word=
              elif [[ $before == = ]]; then
                before=${COMP_WORDS[COMP_CWORD-2]}
              fi
            \(otherCommand(of: tool))\(commands(of: tool))  case $before in
            \(values(of: tool))    --) COMPREPLY=(); return ;;
              esac
              if [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
              elif [[ $files ]]; then
                compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word")
              fi
            }
            complete -F \(function) \(tool.name)

            """
    }

    /// Behind a flag that ends options: first the name of a program, then what it may take.
    private static func otherCommand(of tool: Tool) -> String {
        let flags = CompletionWords.endingOptions(of: tool)
        guard !flags.isEmpty else { return "" }
        return """
              local index
              for ((index = 1; index < COMP_CWORD; index++)); do
                case ${COMP_WORDS[index]} in
                \(flags.joined(separator: "|")))
                  compopt -o filenames
                  if ((index + 1 == COMP_CWORD)); then
                    mapfile -t COMPREPLY < <(compgen -A command -A file -- "$word")
                  else
                    mapfile -t COMPREPLY < <(compgen -f -- "$word")
                  fi
                  return ;;
                esac
              done

            """
    }

    /// The commands as the first word, and after one its own options.
    private static func commands(of tool: Tool) -> String {
        guard !tool.words.isEmpty else { return "" }
        let names = tool.firstWords.map(\.name).joined(separator: " ")
        var text = """
              if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W '\(names)' -- "$word")
                return
              fi
              case ${COMP_WORDS[1]} in

            """
        for first in tool.firstWords {
            guard !first.pairs.isEmpty else {
                if let word = first.alone {
                    text += "    \(first.name)) \(offer(word, of: tool))\n"
                }
                continue
            }
            let seconds = first.pairs.map { $0.parts[1] }.joined(separator: " ")
            let alone =
                first.alone.map { offer($0, of: tool) } ?? "words='-h --help --version' files= ;;"
            text += """
                    \(first.name))
                      if ((COMP_CWORD == 2)) && [[ $word != -* ]]; then
                        mapfile -t COMPREPLY < <(compgen -W '\(seconds)' -- "$word")
                        return
                      fi
                      case ${COMP_WORDS[2]} in

                """
            for pair in first.pairs {
                text += "        \(pair.parts[1])) \(offer(pair, of: tool))\n"
            }
            text += "        *) \(alone)\n      esac ;;\n"
        }
        return text + "  esac\n"
    }

    private static func offer(_ word: Word, of tool: Tool) -> String {
        let options = CompletionWords.all(of: tool.part(word.name)).joined(separator: " ")
        return "words='\(options)' files=\(CompletionWords.takesFiles(tool, word) ? "yes" : "") ;;"
    }

    /// What follows an option that takes a value.
    private static func values(of tool: Tool) -> String {
        var cases = ""
        var seen: Set<String> = []
        for declaration in tool.declarations
        where declaration.placeholder != nil && seen.insert(declaration.key).inserted {
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
        return cases
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

    /// The names of the flags behind which another command stands.
    static func endingOptions(of tool: Tool) -> [String] {
        tool.declarations.filter(\.endsOptions).flatMap(names)
    }

    /// The options of the forms that begin with no word.
    static func wordless(of tool: Tool) -> [String] { all(of: tool.wordless) }

    /// Whether an operand is the name of a file.
    static func takesFiles(_ tool: Tool, _ word: Word?) -> Bool {
        let part = word.map { tool.part($0.name) } ?? tool.wordless
        return part.operandDeclarations.contains {
            if case .files = $0.completion { true } else { false }
        }
    }
}
