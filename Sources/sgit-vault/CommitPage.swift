import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

/// How a commit looks to a person.
struct CommitPage {
    private let vault: OpenStore
    private let call: Invocation

    init(_ vault: OpenStore, _ call: Invocation) {
        self.vault = vault
        self.call = call
    }

    /// `commit`, `Branch`, `Date`, and the message indented.
    func print(_ id: ObjectID) throws {
        let commit = try vault.objects.commit(id)
        let message = try vault.objects.message(of: commit, id)
        var page = "commit \(id.text)\n"
        if commit.parents.count > 1 {
            page += "Merge:  \(commit.parents.map(\.text).joined(separator: " "))\n"
        }
        if let branch = try branchName(commit) { page += "Branch: \(displayable(branch))\n" }
        if let time = commit.time { page += "Date:   \(LocalTime.text(time))\n" }
        call.output.write(page)
        guard !message.isEmpty else { return }
        call.output.write("\n")
        for line in message.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let shown =
                line.isEmpty ? "" : "    " + displayable(String(decoding: line, as: UTF8.self))
            call.output.line(shown)
        }
    }

    /// The id and the first line of the message.
    func printLine(_ id: ObjectID) throws {
        let message = try vault.objects.message(of: vault.objects.commit(id), id)
        let first = String(decoding: message.prefix { $0 != 0x0A }, as: UTF8.self)
        call.output.line(first.isEmpty ? id.text : "\(id.text) \(displayable(first))")
    }

    func json(_ id: ObjectID) throws -> [JSONValue.Member] {
        let commit = try vault.objects.commit(id)
        return [.init("id", .string(id.bytes))]
            + ObjectJSON.facts(of: commit, message: try vault.objects.message(of: commit, id))
    }

    /// What a person calls the device that made the commit: its name, else that of its branch; empty where none is told.
    func device(_ commit: Commit) throws -> String {
        guard let id = commit.branch, !id.isEmpty else { return "" }
        let branch = try vault.bare.branch(id: id)
        let name = branch?.displayName.flatMap { $0.isEmpty ? nil : $0 } ?? branch?.name ?? id
        return String(decoding: name, as: UTF8.self)
    }

    /// What a person calls the branch that made the commit.
    private func branchName(_ commit: Commit) throws -> String? {
        guard let id = commit.branch, !id.isEmpty else { return nil }
        guard let branch = try vault.bare.branch(id: id) else {
            return String(decoding: id, as: UTF8.self)
        }
        let name = String(decoding: branch.name, as: UTF8.self)
        guard let display = branch.displayName, !display.isEmpty else { return name }
        return "\(name) (\(String(decoding: display, as: UTF8.self)))"
    }
}
