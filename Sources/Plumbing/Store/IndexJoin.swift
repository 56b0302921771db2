import Encodings
import Objects

/// Which of two indexes comes from the later history.
package enum LaterHistory {
    case ours, theirs
    /// Both are of one history, or neither has all of the other's.
    case neither
}

extension BranchIndex {
    /// This index with all that another copy of the vault lists: no branch and no tag entry of either is lost.
    ///
    /// Of a branch that both list and that differs, each member that is null here takes the other's value; where both
    /// have one, this device's own entry stays as it is here, and of any other the entry whose bytes are the lesser. What
    /// the vault asks of its clients comes from the later history; of one history nothing is taken back.
    /// - Parameter own: the id of this device's branch.
    /// - Source: docs/vault-format.md, "Branch index".
    package func joined(
        with other: BranchIndex, own: [UInt8]?, later: LaterHistory
    ) throws -> BranchIndex {
        var document = later == .theirs ? other.document : self.document
        document.set(
            "branches", .array(BranchIndex.joinedBranches(self.document, other.document, own)))
        var tags = self.document["tags"]?.elements ?? []
        // Told apart by their bytes: a hostile index may list a hundred thousand.
        var listed = Set(tags.map { JSONWriter.write($0, .stored) })
        for entry in other.document["tags"]?.elements ?? []
        where listed.insert(JSONWriter.write(entry, .stored)).inserted {
            tags.append(entry)
        }
        if !tags.isEmpty { document.set("tags", .array(tags)) }
        for side in [self.document, other.document] {
            for member in side.members
            where !document.members.contains(where: { $0.name == member.name }) {
                document = .object(document.members + [member])
            }
        }
        var joined = try BranchIndex.decode(JSONWriter.write(document, .stored)[...])
        if later == .neither { try joined.ask(allOf: other.gate) }
        // What means the same keeps its bytes, the same ones everywhere: else two devices would write for ever.
        switch (joined.means(theSameAs: self), joined.means(theSameAs: other)) {
        case (true, true): return encode().lexicographicallyPrecedes(other.encode()) ? self : other
        case (true, false): return self
        case (false, true): return other
        case (false, false): return joined
        }
    }

    /// Whether two indexes list the same branches and tags and ask the same, in whatever order.
    package func means(theSameAs other: BranchIndex) -> Bool {
        func essence(_ index: BranchIndex) -> JSONValue {
            .object(
                index.document.members.map { member in
                    guard let elements = member.value.elements else { return member }
                    let sorted = elements.map { JSONWriter.write($0, .stored) }
                        .sorted { $0.lexicographicallyPrecedes($1) }
                    return .init(name: member.name, value: .array(sorted.map { .string($0) }))
                }
                .sorted { $0.name.lexicographicallyPrecedes($1.name) })
        }
        return essence(self) == essence(other)
    }

    /// Raises the gate to what another one asks.
    private mutating func ask(allOf other: FormatGate) throws {
        if other.effectiveFormat > gate.effectiveFormat { try raise(format: other.effectiveFormat) }
        if let minimum = other.minimumClient, !gate.asks(allOf: other) {
            try raise(minimumClient: minimum)
        }
        for feature in other.features { try add(feature: feature) }
    }

    private static func joinedBranches(
        _ ours: JSONValue, _ theirs: JSONValue, _ own: [UInt8]?
    ) -> [JSONValue] {
        var branches = ours["branches"]?.elements ?? []
        var places: [[UInt8]: Int] = [:]
        for (place, branch) in branches.enumerated() where places[id(branch)] == nil {
            places[id(branch)] = place
        }
        for entry in theirs["branches"]?.elements ?? [] {
            guard let place = places[id(entry)] else {
                places[id(entry)] = branches.count
                branches.append(entry)
                continue
            }
            if branches[place] == entry { continue }
            let isOwn = own != nil && id(entry) == own
            branches[place] = joined(branches[place], entry, isOwn: isOwn)
        }
        return branches
    }

    private static func joined(_ one: JSONValue, _ other: JSONValue, isOwn: Bool) -> JSONValue {
        let bytes = (JSONWriter.write(one, .stored), JSONWriter.write(other, .stored))
        let isOurs = isOwn || bytes.0.lexicographicallyPrecedes(bytes.1)
        var members = isOurs ? one.members : other.members
        for member in isOurs ? other.members : one.members {
            guard let place = members.firstIndex(where: { $0.name == member.name }) else {
                members.append(member)
                continue
            }
            if members[place].value == .null { members[place].value = member.value }
        }
        return .object(members)
    }

    private static func id(_ branch: JSONValue) -> [UInt8] {
        guard case .string(let stored)? = branch["branch_id"] else { return [] }
        return DocumentRules.normalized(stored)
    }
}
