import Encodings
import History
import Objects
import Plumbing
import Store

/// The value that a ref is expected to hold, as it is written.
struct OldValue {
    let expectation: RefExpectation

    /// An id, or zeros of any number, with or without `obj-cas-imm-`, for no commit.
    init?(_ text: [UInt8]) {
        let prefixCount = ObjectID.prefix.utf8CodeUnitCount
        let hasPrefix = text.prefix(prefixCount).isEqual(to: ObjectID.prefix)
        let digits = hasPrefix ? text.dropFirst(prefixCount) : text[...]
        if !digits.isEmpty, digits.allSatisfy({ $0 == UInt8(ascii: "0") }) {
            expectation = .nothing
        } else if let id = ObjectID(text) {
            expectation = .head(id)
        } else {
            return nil
        }
    }
}

/// One transaction: moves are asked for, then prepared, then committed.
struct RefSession {
    private let vault: OpenStore
    private var refs: Set<String> = []
    private var asked: [(ref: String, new: ObjectID?, expected: RefExpectation?)] = []
    private var transaction: RefTransaction?

    init(_ vault: OpenStore) {
        self.vault = vault
    }

    var isEmpty: Bool { asked.isEmpty }

    /// Asks for a ref to move, or without `new` only to be checked.
    ///
    /// - Parameter expected: what it must hold; nil where it may hold anything that the new commit descends from.
    mutating func ask(
        for name: RefName, to new: ObjectName?, from expected: RefExpectation?
    ) throws {
        guard let ref = try name.id(in: vault.bare) else {
            try vault.bare.explainAbsence()
            throw RefCommandError.noRef(name.text)
        }
        guard refs.insert(ref).inserted else {
            throw RefCommandError.repeatedRef(ref)
        }
        let id = try new.map { try vault.commitID(of: vault.resolve($0)) }
        // It must be there, and be a commit.
        if let id { _ = try vault.objects.commit(id) }
        asked.append((ref, id, expected))
    }

    /// Takes the hold, checks every ref and makes the new files.
    mutating func prepare() throws {
        let hold = try vault.hold()
        let updates = try asked.map { ask in
            RefTransaction.Update(
                ref: ask.ref,
                expected: try ask.expected ?? forwardOnly(ask.ref, to: ask.new), new: ask.new)
        }
        let transaction = RefTransaction(hold)
        try transaction.prepare(updates)
        self.transaction = transaction
    }

    mutating func commit() throws {
        try transaction?.commit()
        transaction = nil
        asked = []
    }

    /// What a ref holds, if the new commit descends from it.
    ///
    /// - Throws: `RefCommandError.notForward`: history would be left behind that nobody named.
    private func forwardOnly(_ ref: String, to new: ObjectID?) throws -> RefExpectation {
        guard let head = try vault.bare.refs.read(ref).head else { return .nothing }
        if let new, head != new {
            let ancestry = Ancestry(CommitGraph(vault.objects))
            guard try ancestry.isAncestor(head, of: new) else {
                throw RefCommandError.notForward(ref: ref, head: head)
            }
        }
        return .head(head)
    }
}
