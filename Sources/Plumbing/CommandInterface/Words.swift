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
}
