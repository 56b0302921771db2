import Objects
import Plumbing

/// The atoms of `--format`.
struct TreeFormat {
    private enum Atom: String {
        case objecttype, objectname, objectsize, contenthash, mediatype, large, path
    }

    private let format: RecordFormat<Atom>

    init?(_ text: [UInt8]) {
        guard let format = RecordFormat<Atom>(text, atoms: Atom.init) else { return nil }
        self.format = format
    }

    func record(_ target: TreeTarget, path: [UInt8], names: PrettyLayout.Names) -> [UInt8] {
        var facts: BlobFacts?
        if case .blob(_, let known) = target { facts = known }
        return format.fill { atom in
            switch atom {
            case .objecttype: Array(target.kind.rawValue.utf8)
            case .objectname: target.id.bytes
            case .objectsize: Array((facts.map { String($0.size) } ?? "-").utf8)
            case .contenthash: names.show(known(facts?.contentHash))
            case .mediatype: names.show(known(facts?.mediaType))
            case .large: Array((facts.map { String($0.isLarge) } ?? "-").utf8)
            case .path: names.show(path)
            }
        }
    }

    private func known(_ text: [UInt8]?) -> [UInt8] {
        text.flatMap { $0.isEmpty ? nil : $0 } ?? [UInt8(ascii: "-")]
    }
}
