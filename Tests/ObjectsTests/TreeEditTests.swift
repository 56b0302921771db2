import Objects
import TestSupport
import Testing

@Suite struct TreeEditTests {
    private let writer = MemoryWriter()

    // MARK: - Trees from paths, and paths from trees

    private static func path(_ text: String) throws -> [EntryName] {
        try text.split(separator: "/").map { try #require(EntryName(Array($0.utf8))) }
    }

    private static func blob(_ text: String) -> (id: ObjectID, facts: BlobFacts) {
        let bytes = Array(text.utf8)
        return (
            ObjectID(naming: bytes, width: .hex12),
            BlobFacts(of: bytes[...], name: bytes, storedSize: bytes.count)
        )
    }

    private static func put(_ text: String) -> TreeEdit.Change {
        let (id, facts) = blob(text)
        return .put(id, facts)
    }

    /// The root of a tree with a file at each path; made without an edit.
    private func tree(_ files: [String: String]) throws -> ObjectID {
        var entries: [TreeEntry] = []
        var below: [String: [String: String]] = [:]
        for (path, text) in files {
            let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
            if parts.count == 2 {
                below[parts[0], default: [:]][parts[1]] = text
            } else {
                let (id, facts) = Self.blob(text)
                entries.append(
                    TreeEntry(name: try Self.path(path)[0], target: .blob(id, facts)))
            }
        }
        for (name, files) in below {
            entries.append(
                TreeEntry(name: try Self.path(name)[0], target: .tree(try tree(files))))
        }
        return writer.write(Tree(sorting: entries))
    }

    /// Every path below a tree, folders with a slash at their end.
    private func paths(_ root: ObjectID) throws -> [String] {
        var paths: [String] = []
        try TreeWalk(writer.objects).run(root) { names, entry in
            let path = String(decoding: PrettyLayout.path(names), as: UTF8.self)
            paths.append(entry.target.kind == .tree ? path + "/" : path)
            return .enter
        }
        return paths.sorted()
    }

    private static let files = [
        "f": "F", "d/x": "X", "d/y": "Y", "e/g/h/z": "Z", "u/v/w": "W",
    ]

    /// The root after these changes were made to `files`.
    private func edited(
        _ changes: [(String, TreeEdit.Change)], of files: [String: String] = files
    ) throws -> ObjectID {
        var edit = TreeEdit()
        for (path, change) in changes { edit.ask(change, at: try Self.path(path)) }
        let root = try tree(files)
        writer.forget()
        return try edit.apply(to: root, reading: writer.objects, writing: writer)
    }

    // MARK: - The whole table

    private enum Outcome {
        case files([String: String])
        case failure(TreeEditError)
    }

    private static func outcome(without gone: [String] = [], with new: [String: String] = [:])
        -> Outcome
    {
        .files(files.filter { !gone.contains($0.key) }.merging(new) { $1 })
    }

    private func expect(
        _ path: String, _ change: TreeEdit.Change, _ outcome: Outcome,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        switch outcome {
        case .files(let files):
            #expect(
                try edited([(path, change)]) == tree(files), "\(path)", sourceLocation: location)
        case .failure(let error):
            #expect(throws: error, "\(path)", sourceLocation: location) {
                try edited([(path, change)])
            }
        }
    }

    @Test func putsAFileAtEveryKindOfPath() throws {
        let put = Self.put("N")
        for path in ["n", "d/n", "e/g/n", "n/a", "n/a/b/c", "d/n/a", "d-", "D"] {
            try expect(path, put, Self.outcome(with: [path: "N"]))
        }
        for path in ["f", "d/x", "e/g/h/z"] {
            try expect(path, put, Self.outcome(without: [path], with: [path: "N"]))
        }
        for path in ["f/a", "f/a/b", "d/x/a"] {
            let file = try Self.path(path.hasPrefix("f") ? "f" : "d/x")
            try expect(path, put, .failure(.fileInTheWay(file)))
        }
        for path in ["d", "e", "e/g", "u/v"] {
            try expect(path, put, .failure(.folderInTheWay(try Self.path(path))))
        }
    }

    @Test func removesWhatIsAtEveryKindOfPath() throws {
        for path in ["f", "d/x", "d/y"] {
            try expect(path, .remove, Self.outcome(without: [path]))
        }
        try expect("d", .remove, Self.outcome(without: ["d/x", "d/y"]))
        for path in ["e", "e/g", "e/g/h", "e/g/h/z"] {
            try expect(path, .remove, Self.outcome(without: ["e/g/h/z"]))
        }
        for path in ["n", "d/n", "n/a", "d/n/a", "e/g/n", "D"] {
            try expect(path, .remove, .failure(.noSuchPath(try Self.path(path))))
        }
        try expect("f/a", .remove, .failure(.fileInTheWay(try Self.path("f"))))
        try expect("d/x/a/b", .remove, .failure(.fileInTheWay(try Self.path("d/x"))))
    }

    // MARK: - Folders

    @Test func removesTheFoldersThatBecomeEmpty() throws {
        #expect(
            try paths(edited([("e/g/h/z", .remove)]))
                == ["d/", "d/x", "d/y", "f", "u/", "u/v/", "u/v/w"])
        #expect(
            try paths(edited([("d/x", .remove), ("d/y", .remove)]))
                == ["e/", "e/g/", "e/g/h/", "e/g/h/z", "f", "u/", "u/v/", "u/v/w"])
    }

    @Test func keepsAFolderThatWasEmptyBefore() throws {
        let empty = writer.write(Tree(entries: []))
        let name = try Self.path("empty")[0]
        let root = writer.write(
            Tree(entries: [TreeEntry(name: name, target: .tree(empty))]))
        var edit = TreeEdit()
        edit.ask(Self.put("N"), at: try Self.path("n"))
        let new = try edit.apply(to: root, reading: writer.objects, writing: writer)
        #expect(try paths(new) == ["empty/", "n"])
    }

    @Test func leavesTheEmptyRootWhereEverythingGoes() throws {
        let root = try edited(["f", "d", "e", "u"].map { ($0, .remove) })
        #expect(writer.objects.trees[root] == Tree(entries: []))
    }

    @Test func keepsTheIDsOfFoldersThatItDoesNotTouchAndReadsNoneOfThem() throws {
        let old = try tree(Self.files)
        let before = try #require(writer.objects.trees[old])
        for name in ["d", "u"] {
            let id = try #require(before.entry(named: Array(name.utf8))?.target.id)
            writer.objects.trees[id] = nil
        }
        var edit = TreeEdit()
        edit.ask(Self.put("N"), at: try Self.path("e/g/n"))
        writer.forget()
        let new = try edit.apply(to: old, reading: writer.objects, writing: writer)
        // What is written: e/g, e and the root, in that order.
        #expect(writer.written.count == 3 && writer.written.last == new)
        let after = try #require(writer.objects.trees[new])
        for name in ["d", "u", "f"] {
            let bytes = Array(name.utf8)
            #expect(after.entry(named: bytes)?.target == before.entry(named: bytes)?.target)
        }
    }

    @Test func writesEachFolderOnceHoweverManyOfItsFilesChange() throws {
        _ = try edited([("d/x", Self.put("1")), ("d/y", Self.put("2")), ("d/z", Self.put("3"))])
        #expect(writer.written.count == 2)
    }

    @Test func storesFilesBeforeFolders() throws {
        let root = try edited([("z", Self.put("1")), ("a/b", Self.put("2"))])
        let names = try #require(writer.objects.trees[root]).entries.map {
            String(decoding: $0.name.bytes, as: UTF8.self)
        }
        #expect(names == ["f", "z", "a", "d", "e", "u"])
    }

    @Test func makesAFolderAnewWhereOneIsRemoved() throws {
        let root = try edited([("d/n", Self.put("N")), ("d", .remove)])
        #expect(root == (try tree(["f": "F", "d/n": "N", "e/g/h/z": "Z", "u/v/w": "W"])))
    }

    @Test func makesAFolderOfAFileThatIsRemoved() throws {
        let root = try edited([("f", .remove), ("f/a", Self.put("N"))], of: ["f": "F"])
        #expect(root == (try tree(["f/a": "N"])))
    }

    // MARK: - Several changes

    @Test func changesNothingWhereNothingIsAsked() throws {
        #expect(TreeEdit().isEmpty)
        let root = try tree(Self.files)
        writer.forget()
        #expect(try TreeEdit().apply(to: root, reading: writer.objects, writing: writer) == root)
        #expect(writer.written.isEmpty)
    }

    @Test func givesTheSameRootWhereAFileIsPutThatIsThere() throws {
        #expect(try edited([("d/x", Self.put("X"))]) == tree(Self.files))
    }

    @Test func takesTheLaterOfTwoChangesAtOnePath() throws {
        var edit = TreeEdit()
        edit.ask(.remove, at: try Self.path("f"))
        #expect(!edit.isEmpty)
        edit.ask(Self.put("N"), at: try Self.path("f"))
        let root = try tree(["f": "F"])
        #expect(
            try edit.apply(to: root, reading: writer.objects, writing: writer)
                == tree(["f": "N"]))
    }

    @Test func refusesAFileAndAFileBelowItTogether() throws {
        #expect(throws: TreeEditError.fileInTheWay(try Self.path("n"))) {
            try edited([("n/a", Self.put("1")), ("n", Self.put("2"))])
        }
    }

    @Test func writesNothingWhereOneChangeIsRefused() throws {
        #expect(throws: TreeEditError.self) {
            try edited([("a", Self.put("1")), ("z", .remove)])
        }
        #expect(writer.written.isEmpty)
    }

    @Test func changesWhatTheFactsSayOfAFile() throws {
        let (id, facts) = Self.blob("F")
        var other = facts
        other.size += 1
        let root = try edited([("f", .put(id, other))])
        let entry = try #require(writer.objects.trees[root]?.entry(named: [0x66]))
        #expect(entry.target == .blob(id, other))
    }

    @Test func keepsTheLastOfEntriesWithOneName() throws {
        let name = try Self.path("a")[0]
        let (one, other) = (Self.blob("1"), Self.blob("2"))
        let folder = try tree(["x": "X"])
        func root(_ targets: TreeTarget...) -> ObjectID {
            writer.write(Tree(entries: targets.map { TreeEntry(name: name, target: $0) }))
        }
        var edit = TreeEdit()
        edit.ask(Self.put("B"), at: try Self.path("b"))
        func entries(_ root: ObjectID) throws -> Tree? {
            let new = try edit.apply(to: root, reading: writer.objects, writing: writer)
            return writer.objects.trees[new]
        }
        let b = TreeEntry(
            name: try Self.path("b")[0], target: .blob(Self.blob("B").id, Self.blob("B").facts))
        let file = TreeTarget.blob(other.id, other.facts)
        #expect(
            try entries(root(.blob(one.id, one.facts), file))
                == Tree(entries: [TreeEntry(name: name, target: file), b]))
        #expect(
            try entries(root(.tree(folder), file))
                == Tree(entries: [TreeEntry(name: name, target: file), b]))
        #expect(
            try entries(root(file, .tree(folder)))
                == Tree(entries: [b, TreeEntry(name: name, target: .tree(folder))]))
    }

    // MARK: - Random edits against a dictionary of paths

    /// What the changes make of the files, or why they are refused; made path by path in order of bytes.
    private static func model(
        _ files: [String: String], _ changes: [String: String?]
    ) throws -> Outcome {
        var files = files
        let paths = changes.keys.map { $0.split(separator: "/").map(String.init) }
        for parts in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let whole = parts.joined(separator: "/")
            for depth in 1..<parts.count {
                let above = parts[..<depth].joined(separator: "/")
                if files[above] != nil { return .failure(.fileInTheWay(try path(above))) }
            }
            let below = files.keys.filter { $0.hasPrefix(whole + "/") }
            if let text = changes[whole] ?? nil {
                guard below.isEmpty else { return .failure(.folderInTheWay(try path(whole))) }
                files[whole] = text
            } else if files.removeValue(forKey: whole) == nil {
                guard !below.isEmpty else { return .failure(.noSuchPath(try path(whole))) }
                for path in below { files[path] = nil }
            }
        }
        return .files(files)
    }

    @Test func makesEveryRandomEditThatADictionaryMakes() throws {
        var numbers = SeededNumbers()
        var (made, refused) = (0, 0)
        func randomPath() -> String {
            (0...numbers.below(3)).map { _ in ["a", "b", "c", "a-"][numbers.below(4)] }
                .joined(separator: "/")
        }
        for _ in 0..<700 {
            var files: [String: String] = [:]
            for _ in 0..<numbers.below(8) {
                let path = randomPath()
                let isFree = !files.keys.contains {
                    $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/")
                }
                if isFree { files[path] = "\(numbers.below(9))" }
            }
            var changes: [String: String?] = [:]
            for _ in 0..<(1 + numbers.below(4)) {
                let known = files.keys.sorted()
                let path =
                    numbers.below(3) > 0 && !known.isEmpty
                    ? known[numbers.below(known.count)] : randomPath()
                let text: String? = numbers.below(2) == 0 ? nil : "\(numbers.below(9))"
                changes.updateValue(text, forKey: path)
            }
            let asked = changes.map { ($0.key, $0.value.map(Self.put) ?? .remove) }
            switch try Self.model(files, changes) {
            case .files(let expected):
                made += 1
                #expect(
                    try edited(asked, of: files) == tree(expected),
                    "\(files), \(changes), seed \(numbers.seed)")
            case .failure(let error):
                refused += 1
                #expect(throws: error, "\(files), \(changes), seed \(numbers.seed)") {
                    try edited(asked, of: files)
                }
            }
        }
        #expect(made > 50 && refused > 50, "seed \(numbers.seed)")
    }
}
