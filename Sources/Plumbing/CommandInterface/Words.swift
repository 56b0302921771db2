extension Tool {
    /// The words that forms of this tool begin with, each once.
    var words: [Word] {
        var seen: Set<String> = []
        return forms.compactMap(Tool.word).filter { seen.insert($0.name).inserted }
    }

    /// The tool as far as one word goes: what `-h` after it shows.
    func part(_ command: String) -> Tool {
        Tool(
            name, summary, usage: forms.filter { Tool.word(of: $0)?.name == command },
            answersNo: nil)
    }

    /// The tool as far as the forms without a word go.
    var wordless: Tool {
        Tool(
            name, summary, usage: forms.filter { Tool.word(of: $0) == nil }, answersNo: answersNo)
    }

    static func word(of form: [UsageElement]) -> Word? {
        guard case .word(let word)? = form.first else { return nil }
        return word
    }

    /// Whether some of its commands have two words.
    var hasPairs: Bool { words.contains { $0.parts.count > 1 } }

    /// What may stand first, in the order of the forms.
    var firstWords: [FirstWord] {
        var seen: Set<String> = []
        return words.map { $0.parts[0] }.filter { seen.insert($0).inserted }.map { name in
            FirstWord(
                name: name, alone: words.first { $0.name == name },
                pairs: words.filter { $0.parts.count > 1 && $0.parts[0] == name })
        }
    }

    /// The tool as far as the forms go that begin with a word.
    func group(_ first: FirstWord) -> Tool {
        Tool(
            name, summary, usage: forms.filter { Tool.word(of: $0)?.parts[0] == first.name },
            answersNo: nil)
    }

    /// Which forms a call may have; of two commands that fit, the one of more words.
    package func choose(_ arguments: [[UInt8]]) throws(UsageError) -> Choice {
        let named = words.filter { word in
            word.parts.count <= arguments.count
                && zip(word.parts, arguments).allSatisfy { $1.elementsEqual($0.utf8) }
        }
        if let word = named.max(by: { $0.parts.count < $1.parts.count }) {
            let part = part(word.name)
            return Choice(
                command: word.name, forms: part.forms,
                rest: Array(arguments.dropFirst(word.parts.count)), helped: part)
        }
        guard
            let first = firstWords.first(where: {
                arguments.first?.elementsEqual($0.name.utf8) == true
            })
        else {
            let wordless = wordless.forms
            if wordless.isEmpty, let stray = arguments.first(where: { !$0.starts(with: "-".utf8) })
            {
                throw UsageError("\(quoted(stray)) is no command, or does not stand first")
            }
            return Choice(command: nil, forms: wordless, rest: arguments, helped: self)
        }
        let seconds = first.pairs.map { $0.parts[1] }.joined(separator: ", ")
        guard arguments.count > 1 else {
            throw UsageError("'\(first.name)' goes on with one of \(seconds)")
        }
        guard arguments[1].starts(with: "-".utf8) else {
            throw UsageError(
                "'\(first.name)' goes on with one of \(seconds), not \(quoted(arguments[1]))")
        }
        return Choice(
            command: nil, forms: [], rest: Array(arguments.dropFirst()), helped: group(first))
    }
}

/// What the first words of a call have chosen.
package struct Choice {
    /// The command; nil where the form has none.
    package let command: String?
    package let forms: [[UsageElement]]
    /// What follows the command.
    package let rest: [[UInt8]]
    /// What `-h` shows.
    package let helped: Tool
}

/// A word that may stand first.
struct FirstWord {
    let name: String
    /// Where it is a command by itself.
    let alone: Word?
    /// The commands that go on behind it.
    let pairs: [Word]

    /// What it does, or what goes on behind it.
    var help: String { alone?.help ?? pairs.map { $0.parts[1] }.joined(separator: ", ") }
}

extension Word {
    /// Its one or two words.
    var parts: [String] { name.split(separator: " ").map { String($0) } }
}
