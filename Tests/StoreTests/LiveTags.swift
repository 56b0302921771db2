import Objects
import Store

extension BranchIndex {
    /// The names of the tags that are not deleted, in order of bytes.
    func liveTagNames(now: Int) -> [TagName] {
        let names = tags.compactMap { entry -> TagName? in
            if case .entry(let name, _, _, _) = entry { return name }
            return nil
        }
        return Set(names).filter { tag(named: $0, now: now) != nil }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
