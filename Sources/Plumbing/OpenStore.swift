import Cryptography
package import Objects
package import Store

/// A store with its key, and the names in it.
package struct OpenStore {
    package let bare: BareStore
    /// Milliseconds since 1970: only the tie-break between tags of one name looks at it.
    private let now: Int
    /// What `@` stands for; nil for the head of `current`.
    package var head: ObjectID?
    /// `$XDG_RUNTIME_DIR`, for a file system that knows no holds.
    private let runtimeFolder: String?

    package init(_ bare: BareStore, now: Int, runtimeFolder: String?) {
        self.bare = bare
        self.now = now
        self.runtimeFolder = runtimeFolder
    }

    /// Takes the hold under which refs, index and keys are changed.
    package func hold() throws -> StoreHold {
        try StoreHold(on: bare, random: .system, runtimeFolder: runtimeFolder)
    }

    package var objects: LooseObjects { bare.objects }

    /// An object that a name stands for, with its kind where the place it was found in tells.
    package struct Found {
        package let id: ObjectID
        package let kind: ObjectKind?
        /// For messages.
        package let name: [UInt8]

        package init(id: ObjectID, kind: ObjectKind?, name: [UInt8]) {
            self.id = id
            self.kind = kind
            self.name = name
        }
    }

    // MARK: - Looking up

    /// The object that a name stands for.
    ///
    /// - Throws: `ObjectNameError`, `StoreError`.
    package func resolve(_ name: ObjectName) throws -> Found {
        var found = try base(of: name)
        for step in name.steps {
            switch step {
            case .ancestor(let count):
                found = try commitFound(found)
                for _ in 0..<count { found = try parent(1, of: found) }
            case .parent(let number):
                found = try commitFound(found)
                if number > 0 { found = try parent(number, of: found) }
            case .tree: found = Found(id: try treeID(of: found), kind: .tree, name: name.text)
            case .path(let path): found = try entry(at: path, of: found)
            }
        }
        return found
    }

    /// Whether the name stands for an object that is there; damage is still an error.
    package func contains(_ name: ObjectName) throws -> Bool {
        do {
            _ = try objects.envelope(resolve(name).id)
            return true
        } catch StoreError.missing, StoreError.emptyStore {
            return false
        } catch let error as ObjectNameError {
            switch error {
            case .ambiguous, .wrongKind: throw error
            default: return false
            }
        }
    }

    private func base(of name: ObjectName) throws -> Found {
        switch name.base {
        case .id(let id):
            return Found(id: try objects.lengthened(id, name: name), kind: nil, name: name.text)
        case .head:
            if let head { return Found(id: head, kind: .commit, name: name.text) }
            return try head(ofBranch: Array("current".utf8), name: name.text)
        case .text(let text):
            let object = try name.prefixDigits.flatMap { try objects.unique($0, name: name) }
                .map { Found(id: $0, kind: nil, name: name.text) }
            let named = try branchOrTag(text, name: name.text)
            if let object, let named {
                throw ObjectNameError.ambiguous(
                    name: name.text, candidates: [object.id.text, "the name of " + named.id.text])
            }
            if let found = object ?? named { return found }
            try bare.explainAbsence()
            throw ObjectNameError.unknown(name: name.text)
        }
    }

    private func branchOrTag(_ text: [UInt8], name: [UInt8]) throws -> Found? {
        if try bare.ref(ofBranch: text) != nil { return try head(ofBranch: text, name: name) }
        guard let tagName = TagName(text),
            let tag = try bare.verifiedTag(named: tagName, now: now)
        else { return nil }
        return Found(id: tag.object, kind: .tag, name: name)
    }

    private func head(ofBranch branch: [UInt8], name: [UInt8]) throws -> Found {
        guard let ref = try bare.ref(ofBranch: branch) else {
            throw ObjectNameError.unknown(name: name)
        }
        switch try bare.refs.read(ref) {
        case .head(let id): return Found(id: id, kind: .commit, name: name)
        case .empty: throw ObjectNameError.emptyBranch(name: name)
        case .absent:
            try bare.explainAbsence()
            throw ObjectNameError.noRef(branch: branch)
        }
    }

    /// The heads of all branches in the order of the index; without an index, what the refs hold.
    package func heads() throws -> [ObjectID] {
        try bare.explainAbsence()
        guard let index = try bare.index() else {
            return try bare.refs.ids().compactMap { try bare.refs.read($0).head }
        }
        return try index.branches.compactMap { branch in
            let content = try bare.refs.read(String(decoding: branch.ref, as: UTF8.self))
            // The ref of a clone branch need not be in every copy; that of a named one must.
            if content == .absent, branch.kind == .named {
                throw ObjectNameError.noRef(branch: branch.name)
            }
            return content.head
        }
    }

    // MARK: - From one object to another

    /// The commit that an object is or, for a tag, stands for.
    package func commitID(of found: Found) throws -> ObjectID { try commitFound(found).id }

    private func commitFound(_ found: Found) throws -> Found {
        switch try kind(of: found) {
        case .commit: return Found(id: found.id, kind: .commit, name: found.name)
        case .tag:
            return Found(id: try objects.tag(found.id).commit, kind: .commit, name: found.name)
        default: throw ObjectNameError.wrongKind(name: found.name, expected: .commit)
        }
    }

    /// The tree that an object is or leads to.
    package func treeID(of found: Found) throws -> ObjectID {
        switch try kind(of: found) {
        case .tree: return found.id
        case .commit, .tag: return try objects.commit(commitFound(found).id).tree
        case .blob: throw ObjectNameError.wrongKind(name: found.name, expected: .tree)
        }
    }

    /// The kind of an object: by where it was found, else by what it says it is, else by what it reads as.
    private func kind(of found: Found) throws -> ObjectKind {
        if let kind = found.kind { return kind }
        let plaintext = try objects.read(found.id)
        if let declared = DecodedObject.declaredKind(plaintext) { return declared }
        // A document may lack its schema.
        for kind in [ObjectKind.tree, .commit] {
            if (try? DecodedObject(plaintext, as: kind, with: bare.cipher)) != nil { return kind }
        }
        return .blob
    }

    private func parent(_ number: Int, of found: Found) throws -> Found {
        let parents = try objects.commit(found.id).parents
        guard number <= parents.count else {
            throw ObjectNameError.noSuchParent(name: found.name, number: number)
        }
        return Found(id: parents[number - 1], kind: .commit, name: found.name)
    }

    /// What stands at a path below the tree that an object leads to; the empty path is the tree itself.
    package func entry(at path: [UInt8], of start: Found) throws -> Found {
        var found = Found(id: try treeID(of: start), kind: .tree, name: start.name)
        var rest = path[...]
        let noSuchPath = ObjectNameError.noSuchPath(path: path, name: start.name)
        while !rest.isEmpty {
            let tree = try objects.tree(found.id)
            let component = rest.prefix { $0 != UInt8(ascii: "/") }
            // sgit reads a name that holds a slash as a deeper path.
            let whole = tree.entry(named: Array(rest))
            guard let entry = tree.entry(named: Array(component)) ?? whole else {
                throw noSuchPath
            }
            rest = rest.dropFirst(entry.name.bytes.count)
            found = Found(id: entry.target.id, kind: entry.target.kind, name: start.name)
            // A slash, also the last one, asks for a folder.
            if !rest.isEmpty, found.kind != .tree {
                throw noSuchPath
            }
            rest = rest.dropFirst()
        }
        return found
    }
}

extension LooseObjects {
    /// The object that a name stands for without a key; nil where it is not an id or the beginning of one.
    package func resolve(_ name: ObjectName) throws -> ObjectID? {
        guard name.steps.isEmpty else { return nil }
        if case .id(let id) = name.base { return try lengthened(id, name: name) }
        return try name.prefixDigits.flatMap { try unique($0, name: name) }
    }

    /// The id itself; where it has twelve digits and is not there, the one longer id that begins so.
    fileprivate func lengthened(_ id: ObjectID, name: ObjectName) throws -> ObjectID {
        if id.width == .hex32 { return id }
        if try contains(id) { return id }
        return try unique(Array(id.bytes.dropFirst(ObjectID.prefix.utf8CodeUnitCount)), name: name)
            ?? id
    }

    /// The one object whose digits begin so; nil where there is none.
    fileprivate func unique(_ digits: [UInt8], name: ObjectName) throws -> ObjectID? {
        let ids = try ids(beginning: digits, limit: 8)
        guard ids.count < 2 else {
            throw ObjectNameError.ambiguous(name: name.text, candidates: ids.map(\.text))
        }
        return ids.first
    }
}
