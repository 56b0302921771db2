// What a commit is made of, from what the call gives.

import CommandInterface
import FileSystem
import Objects
import Plumbing
import Store

/// The paragraphs of `-m`, or the file, or standard input; of these one line feed at the end is taken off.
func givenMessage(_ call: Invocation) throws -> [UInt8] {
    let paragraphs = call.all(message)
    guard paragraphs.isEmpty else { return Array(paragraphs.joined(separator: "\n\n".utf8)) }
    let limit = CommitMessage.longest + 1
    var text: [UInt8]
    do {
        if let path = call[messageFile], path != "-" {
            text = try FileContents.read(Array(path.utf8), limit: limit)
        } else {
            text = try StandardInput.contents(limit: limit)
        }
    } catch FileError.tooLarge {
        throw UsageError("the message has more than \(CommitMessage.longest) bytes")
    }
    if text.last == 0x0A { text.removeLast() }
    return text
}

/// The tree, once it is shown to be there and to be one.
func presentTree(_ name: ObjectName, in vault: OpenStore) throws -> ObjectID {
    let id = try vault.treeID(of: vault.resolve(name))
    _ = try vault.objects.tree(id)
    return id
}

/// The parents in the order given, each once.
func parents(_ call: Invocation, _ vault: OpenStore) throws -> [ObjectID] {
    var parents: [ObjectID] = []
    for name in call.all(parent) {
        let id = try vault.commitID(of: vault.resolve(name))
        _ = try vault.objects.commit(id)
        if parents.contains(id) {
            call.warn(
                Report("the parent '\(id.text)' is given twice and counts once", status: .success))
        } else {
            parents.append(id)
        }
    }
    return parents
}

/// The branch that `--branch` names; nil where it is not given.
func makingBranch(_ call: Invocation, _ bare: BareStore) throws -> [UInt8]? {
    guard let name = call[branch] else { return nil }
    guard let found = try bare.branch(id: name) ?? bare.index()?.branch(named: name) else {
        throw ObjectNameError.unknown(name: name)
    }
    return found.id
}
