package import Objects

/// The commits that a walk has met, numbered, with the parents of those that it has read.
///
/// A commit is read at most once. Numbers instead of ids keep a history of a million commits in little memory.
package final class CommitGraph {
    private let commits: any ObjectReader
    private var numbers: [ObjectID: Int32] = [:]
    private var ids: [ObjectID] = []
    private var parentsOf: [[Int32]?] = []

    package init(_ commits: any ObjectReader) {
        self.commits = commits
    }

    /// The number of a commit, which need not be there.
    func number(_ id: ObjectID) -> Int {
        if let known = numbers[id] { return Int(known) }
        numbers[id] = Int32(ids.count)
        ids.append(id)
        parentsOf.append(nil)
        return ids.count - 1
    }

    /// The commits met so far whose numbers `isIncluded` accepts.
    func ids(_ isIncluded: (Int) -> Bool) -> [ObjectID] {
        ids.indices.filter(isIncluded).map { ids[$0] }
    }

    func id(_ number: Int) -> ObjectID { ids[number] }

    /// The parents of a commit in stored order; reads it the first time.
    /// - Throws: what the reader throws, `missing` for a commit that is not there.
    func parents(_ number: Int) throws -> [Int32] {
        if let known = parentsOf[number] { return known }
        let parents = try commits.parents(of: ids[number]).map { Int32(self.number($0)) }
        parentsOf[number] = parents
        return parents
    }

    /// The tree of a commit; reads the whole commit each time.
    func tree(_ number: Int) throws -> ObjectID { try commits.commit(ids[number]).tree }
}

/// A set of commit numbers.
struct CommitSet {
    private var members: [Bool] = []

    func contains(_ number: Int) -> Bool { number < members.count && members[number] }

    /// Adds a commit; false where it was in already.
    mutating func insert(_ number: Int) -> Bool {
        if number >= members.count {
            members.append(
                contentsOf: repeatElement(
                    false, count: max(number + 1, 2 * members.count) - members.count))
        }
        if members[number] { return false }
        members[number] = true
        return true
    }
}
