/// What the hidden `--generate=` prints: the views of a tool's declarations that `make docs` writes to files.
package enum GeneratedView: String {
    case mdoc
    case bash
    case zsh
    case fish

    /// The view that an argument asks for; nil for any other argument.
    package init?(argument: [UInt8]) {
        let prefix = "--generate="
        guard argument.starts(with: prefix.utf8) else { return nil }
        self.init(rawValue: String(decoding: argument.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    package func text(of tool: Tool) -> String {
        switch self {
        case .mdoc: ManualPage.text(of: tool)
        case .bash: BashCompletion.text(of: tool)
        case .zsh: ZshCompletion.text(of: tool)
        case .fish: FishCompletion.text(of: tool)
        }
    }
}
