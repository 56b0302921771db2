import CommandInterface
import Encodings
import Merging
import Objects
import Plumbing
import Store

/// Shows what differs between two commits.
enum Diff: VaultCommand {
    static let word = Word("diff", "show what differs between two commits")
    private static let nameStatus = Flag(nil, "name-status", "show status and path only")
    private static let exitCode = Flag(nil, "exit-code", "end with 1 if they differ")
    private static let old = Operand(
        "old", "what to compare from; else the first parent of the head", ObjectName.init)
    private static let new = Operand(
        "new", "what to compare with; else this device's head", ObjectName.init)
    static var usage: [UsageElement] {
        [
            .atMostOne(nameStatus, records.json), .any(exitCode), vaultChoice.elements,
            .optional(old),
            .optional(new),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let objects = vault.open.objects
        let newCommit = try vault.commit(at: call.first(new))
        let comparison = TreeComparison(vault.open)
        var differ = false
        func visit(_ change: TreeDifference.Change) throws {
            differ = true
            try show(change, vault.open, call)
        }

        if let name = call.first(old) {
            try comparison.run(
                vault.open.treeID(of: vault.open.resolve(name)), objects.commit(newCommit).tree,
                visit: visit)
        } else {
            try comparison.run(of: newCommit, visit: visit)
        }
        return call[exitCode] && differ ? .no : .success
    }

    private static func show(
        _ change: TreeDifference.Change, _ vault: OpenStore, _ call: Invocation
    ) throws {
        let path = PrettyLayout.path(change.path)
        if call[records.json] {
            return records.print(
                .object([
                    .init("status", .text(change.status.rawValue)),
                    .init("old", ObjectJSON.nullable(change.old?.bytes)),
                    .init("new", ObjectJSON.nullable(change.new?.bytes)),
                    .init("path", .string(path)),
                ]), call)
        }
        if call[nameStatus] {
            call.output.write("\(change.status.rawValue)\t")
            call.output.write(CQuoting.quote(path))
            call.output.write(0x0A)
            return
        }
        let (oldText, newText) = (try text(change.old, vault), try text(change.new, vault))
        let oldName = change.old == nil ? Array("/dev/null".utf8) : Array("a/".utf8) + path
        let newName = change.new == nil ? Array("/dev/null".utf8) : Array("b/".utf8) + path
        call.output.write(heading(path, change))
        if oldText.isEmpty && newText.isEmpty { return }
        if oldText.contains(0) || newText.contains(0) {
            call.output.write("Binary files ")
            call.output.write(CQuoting.quote(oldName))
            call.output.write(" and ")
            call.output.write(CQuoting.quote(newName))
            call.output.write(" differ\n")
            return
        }
        call.output.write(named("--- ", oldName) + named("+++ ", newName))
        call.output.write(LineDifference(oldText, newText).unified())
    }

    /// The lines of git's that say what a hunk cannot: that a file appears or goes, also an empty one.
    private static func heading(_ path: [UInt8], _ change: TreeDifference.Change) -> [UInt8] {
        let names = [Array("a/".utf8) + path, Array("b/".utf8) + path].map { CQuoting.quote($0) }
        var lines = Array("diff --git ".utf8) + names[0] + " ".utf8 + names[1] + "\n".utf8
        if change.old == nil { lines += "new file mode 100644\n".utf8 }
        if change.new == nil { lines += "deleted file mode 100644\n".utf8 }
        return lines
    }

    /// The line that names a file; `patch` wants a tab after a name with a space in it.
    private static func named(_ mark: StaticString, _ name: [UInt8]) -> [UInt8] {
        var line = Array(
            UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
        line += CQuoting.quote(name)
        if name.contains(UInt8(ascii: " ")) { line.append(UInt8(ascii: "\t")) }
        return line + [0x0A]
    }

    private static func text(_ id: ObjectID?, _ vault: OpenStore) throws -> ArraySlice<UInt8> {
        try id.map { try vault.objects.blob($0) } ?? []
    }
}
