import CommandInterface
import Encodings
import History
import Objects
import Plumbing
import Store

/// Walks and prints.
///
/// Commits are printed as they are met; trees and blobs follow them.
final class RevisionList {
    private let vault: OpenStore
    private let call: Invocation
    private let action: MissingAction
    private let onlyCounts: Bool
    private let showsJSON: Bool
    private let showsParents: Bool
    private let terminator: UInt8
    /// Absent objects already told of.
    private var told: Set<ObjectID> = []
    private var printed = 0

    init(_ vault: OpenStore, _ call: Invocation) {
        self.vault = vault
        self.call = call
        action = call[missing] ?? .error
        onlyCounts = call[count]
        showsJSON = call[records.json]
        showsParents = call[parents]
        terminator = records.terminator(call)
    }

    func run(_ range: RevisionRange) throws {
        var walk = RevisionWalk(CommitGraph(vault.objects))
        walk.firstParentOnly = call[firstParent]
        walk.isTopological = call[topological]
        walk.onMissing = onMissing
        let limit = call[limit] ?? .max
        var roots: [ObjectID] = []
        var edges = range.excluded
        walk.onEdge = { edges.append($0) }
        let listsObjects = call[objects]
        if limit > 0 {
            var shown = 0
            try walk.run(range) { id, parentIDs in
                shown += 1
                try show(id, parents: parentIDs)
                if listsObjects { roots.append(try vault.objects.commit(id).tree) }
                return shown < limit
            }
        }
        if listsObjects { try showObjects(below: roots, without: edges) }
        if onlyCounts {
            call.output.write(String(printed))
            call.output.write(terminator)
        }
    }

    // MARK: -

    private func show(_ id: ObjectID, parents parentIDs: [ObjectID]) throws {
        printed += 1
        if onlyCounts { return }
        if showsJSON {
            let commit = try vault.objects.commit(id)
            let facts = ObjectJSON.facts(
                of: commit, message: try vault.objects.message(of: commit, id)
            ).filter { !$0.name.isEqual(to: "signature") }
            records.print(.object([.init("id", .string(id.bytes))] + facts), call)
            return
        }
        call.output.write(id.bytes)
        if showsParents {
            for parent in parentIDs {
                call.output.write(UInt8(ascii: " "))
                call.output.write(parent.bytes)
            }
        }
        call.output.write(terminator)
    }

    /// Trees and blobs of the commits shown, but for what the excluded commits next to them hold.
    private func showObjects(below roots: [ObjectID], without edges: [ObjectID]) throws {
        var walk = ObjectWalk(vault.objects)
        walk.onMissing = onMissing
        for id in edges {
            do {
                try walk.hide(vault.objects.commit(id).tree)
            } catch {
                try onMissing(id, error)
            }
        }
        for root in roots {
            try walk.run(root) { id, kind, path in
                if try !vault.objects.contains(id) {
                    return try onMissing(id, StoreError.missing(id))
                }
                show(id, kind, path)
            }
        }
    }

    private func show(_ id: ObjectID, _ kind: ObjectKind, _ path: [EntryName]) {
        printed += 1
        if onlyCounts { return }
        let path = PrettyLayout.path(path)
        if showsJSON {
            records.print(
                .object([
                    .init("id", .string(id.bytes)), .init("kind", .text(kind.rawValue)),
                    .init("path", .string(path)),
                ]), call)
            return
        }
        call.output.write(id.bytes)
        call.output.write(UInt8(ascii: "\t"))
        call.output.write(records.names(call).show(path))
        call.output.write(terminator)
    }

    /// What `--missing` says to do about an object that is not there; any other error is passed on.
    private func onMissing(_ id: ObjectID, _ error: any Error) throws {
        guard case StoreError.missing = error, action != .error else { throw error }
        guard action == .print, told.insert(id).inserted, !onlyCounts else { return }
        if showsJSON {
            records.print(
                .object([.init("id", .string(id.bytes)), .init("missing", .bool(true))]), call)
            return
        }
        call.output.write("?\(id.text)")
        call.output.write(terminator)
    }
}
