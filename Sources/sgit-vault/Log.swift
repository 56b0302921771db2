import CommandInterface
import Encodings
import History
import Objects
import Plumbing
import Store

/// Shows the history, newest first.
enum Log: VaultCommand {
    static let word = Word("log", "show the commits, newest first")
    private static let limit = Option(
        "n", nil, "count", "show at most this many commits", { Decimal.parse($0) })
    private static let oneLine = Flag(nil, "oneline", "show each commit on one line")
    private static let start = Operand(
        "revision", "where to begin; else this device's head", ObjectName.init)
    static var usage: [UsageElement] {
        [.any(limit), .atMostOne(oneLine, records.json), vaultChoice.elements, .optional(start)]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        let vault = try OpenVault.toRead(call)
        let page = CommitPage(vault.open, call)
        var range = RevisionRange()
        range.included = [try vault.commit(at: call.first(start))]
        var walk = RevisionWalk(CommitGraph(vault.open.objects))
        walk.isTopological = true
        // A copy without old commits shows those that it has.
        var absent = 0
        walk.onMissing = { id, error in
            guard case StoreError.missing = error else { throw error }
            absent += 1
        }

        let most = call[limit] ?? .max
        var shown = 0
        guard most > 0 else { return .success }
        try walk.run(range) { id, _ in
            if call[records.json] {
                records.print(.object(try page.json(id)), call)
            } else if call[oneLine] {
                try page.printLine(id)
            } else {
                if shown > 0 { call.output.write("\n") }
                try page.print(id)
            }
            shown += 1
            return shown < most
        }
        if absent > 0 {
            call.warn(
                Report("\(absent) commits before these are not in this copy", status: .success))
        }
        return .success
    }
}
