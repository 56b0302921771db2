package import FileSystem
package import Objects
package import VaultKeys

/// A bare store and the key that opens it; nothing is read before it is asked for.
package final class BareStore {
    package let layout: StoreLayout
    package let objects: LooseObjects
    package let refs: Refs
    package let keys: PublicKeys
    package let cipher: EnvelopeCipher
    package let ids: FileIDs
    private var readIndex: BranchIndex??
    /// The branches of the index by id, and the name of the first branch of each ref; made at the first use.
    private var branchesByID: [[UInt8]: BranchIndex.Branch]?
    private var branchNamesByRef: [[UInt8]: [UInt8]]?

    package init(_ layout: StoreLayout, cipher: EnvelopeCipher) throws(FileError) {
        self.layout = layout
        self.cipher = cipher
        ids = FileIDs(cipher.key)
        objects = try LooseObjects(layout, cipher: cipher)
        refs = Refs(layout, cipher: cipher)
        keys = PublicKeys(layout, cipher: cipher)
    }

    /// The branch index; nil where the store has none.
    ///
    /// One that is there and cannot be read is refused: without it a host could switch a policy off.
    /// - Throws: `StoreError.needsClient` where the gate asks for a newer client.
    package func index() throws -> BranchIndex? {
        if let readIndex { return readIndex }
        let files = SealedFiles(folder: layout.indexes, cipher: cipher)
        let name = ids.branchIndex
        var index: BranchIndex?
        if let plaintext = try files.read(name, limit: BranchIndex.limit, isDerived: true) {
            do {
                index = try BranchIndex.decode(plaintext)
            } catch {
                throw StoreError.damaged(subject: name, reason: error)
            }
        }
        if let gate = index?.gate, !gate.admitsThisClient {
            throw StoreError.needsClient(String(decoding: gate.minimumClient ?? [], as: UTF8.self))
        }
        readIndex = .some(index)
        return index
    }

    /// Looks once more at what is on the disk, where something was read before.
    package func forget() {
        readIndex = nil
        branchesByID = nil
        branchNamesByRef = nil
    }

    /// What the vault asks of a writer, once it is shown that the key fits and that this release may write there.
    ///
    /// A store without refs and index is a new one, and anything may come into it.
    /// - Throws: `StoreError.foreignKey`, `.needsClient`, `.needsFormat`, and what reading the index throws.
    package func gateForWriting() throws -> FormatGate {
        guard let gate = try index()?.gate else {
            do {
                try explainAbsence()
            } catch StoreError.emptyStore {}
            return FormatGate(format: nil, minimumClient: nil, features: [])
        }
        guard gate.isWritable else { throw StoreError.needsFormat(gate.format ?? 0) }
        return gate
    }

    /// The ref of a branch by its name; nil where there is no such branch.
    ///
    /// Without an index, or where it lists no `current`, that branch is the ref that the key names.
    package func ref(ofBranch name: [UInt8]) throws -> String? {
        if let branch = try index()?.branch(named: name) {
            return String(decoding: branch.ref, as: UTF8.self)
        }
        return name.elementsEqual("current".utf8) ? ids.mainRef : nil
    }

    /// The ids of the refs that are there and of those that the index lists, in order.
    package func knownRefs() throws -> [String] {
        let listed = try index()?.branches.map { String(decoding: $0.ref, as: UTF8.self) } ?? []
        return Set(try refs.ids() + listed).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The name of the branch that a ref belongs to; nil where none is known.
    package func branchName(ofRef refID: String) throws -> [UInt8]? {
        guard let index = try index() else {
            return refID == ids.mainRef ? Array("current".utf8) : nil
        }
        let names = branchNamesByRef ?? byFirst(index) { ($0.ref, $0.name) }
        branchNamesByRef = names
        return names[Array(refID.utf8)]
    }

    /// The branch of that id; nil where there is none, or no index.
    package func branch(id: [UInt8]) throws -> BranchIndex.Branch? {
        guard let index = try index() else { return nil }
        let branches = branchesByID ?? byFirst(index) { ($0.id, $0) }
        branchesByID = branches
        return branches[id]
    }

    private func byFirst<Value>(
        _ index: BranchIndex, _ pair: (BranchIndex.Branch) -> ([UInt8], Value)
    ) -> [[UInt8]: Value] {
        Dictionary(index.branches.map(pair), uniquingKeysWith: { first, _ in first })
    }

    /// The ref of `current`.
    package func mainRef() throws -> String {
        try ref(ofBranch: Array("current".utf8)) ?? ids.mainRef
    }

    /// Tells why a store does not hold what the key points to, and returns where there is no such reason.
    ///
    /// Refs and the index are named by the key, so a wrong key looks like absence. Where neither name is there but
    /// other refs or indexes are, the key belongs to another vault.
    /// - Throws: `StoreError.foreignKey`; `StoreError.emptyStore` where there are no refs and no index at all.
    package func explainAbsence() throws {
        let refNames = try refs.ids()
        let indexNames = try SealedFiles(folder: layout.indexes, cipher: cipher).names()
            .filter { DocumentRules.isID(Array($0.utf8), "idx-pid-muw-", digits: 12...12) }
        // Opening what the key names shows that the key is right, before a file of another name is judged by it.
        for ref in [ids.mainRef, ids.firstCloneRef] where refNames.contains(ref) {
            if !cipher.hasOpened { _ = try refs.read(ref) }
            return
        }
        if indexNames.contains(ids.branchIndex) { return }
        throw refNames.isEmpty && indexNames.isEmpty ? StoreError.emptyStore : StoreError.foreignKey
    }

    /// What the signature of a commit is worth, with the key that belongs to it.
    package func verdict(on commit: Commit) throws -> SignatureVerdict {
        guard commit.isSigned else { return .unsigned }
        return commit.verdict(with: try signingKey(of: commit).flatMap { try keys.key($0) })
    }

    /// The id of the key that a commit names, else of the one that its branch has in the index.
    package func signingKey(of commit: Commit) throws -> [UInt8]? {
        if let own = commit.authorKey, !own.isEmpty { return own }
        guard let branch = commit.branch, !branch.isEmpty else { return nil }
        return try self.branch(id: branch)?.key
    }

    /// The commit that a tag stands for, once its signature is verified; nil where there is no such tag.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func verifiedTag(named name: TagName, now: Int) throws -> (
        object: ObjectID, commit: ObjectID
    )? {
        guard let object = try index()?.tag(named: name, now: now) else { return nil }
        let tag = try objects.tag(object)
        let text = String(decoding: name.bytes, as: UTF8.self)
        let key = String(decoding: tag.key ?? [], as: UTF8.self)
        guard tag.name == name else {
            throw StoreError.tagNotVerified(name: text, .bad, key: key)
        }
        let verdict = tag.verdict(with: try tag.key.flatMap { try keys.key($0) })
        guard verdict == .verified else {
            throw StoreError.tagNotVerified(name: text, verdict, key: key)
        }
        return (object, tag.commit)
    }
}
