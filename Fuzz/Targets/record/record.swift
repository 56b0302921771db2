// Every line of the input is what a person or a script gives to a tool that writes: an entry of a tree, a name in
// quotes, a path, a time, a document with members.
import Encodings
import Harness
import Objects
import Plumbing

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    for line in bytes(start, count).split(separator: 0x0A, omittingEmptySubsequences: false) {
        checkRecord(Array(line), .quoted)
        checkRecord(Array(line), .raw)
        checkQuoting(Array(line))
        checkPath(Array(line))
        checkTime(Array(line))
    }
    return 0
}

/// A record that is taken is an entry that a tree can hold, and reads the same once it is printed.
private func checkRecord(_ line: [UInt8], _ names: PrettyLayout.Names) {
    let record: TreeRecord
    do throws(TreeRecordError) {
        record = try TreeRecord(line, names: names)
    } catch {
        return
    }
    plantFault(on: record.name.bytes)
    expect(!record.name.bytes.contains(UInt8(ascii: "/")), "a name is one part of a path")
    expect(PathGuard.isWritable(record.name.bytes), "a name may be checked out")
    let target: TreeTarget =
        record.facts.map { .blob(record.id, $0) } ?? .tree(record.id)
    guard record.facts != nil || record.kind == .tree else { return }
    let shown = PrettyLayout.record(
        target, path: record.name.bytes, details: record.facts != nil, names: names)
    do throws(TreeRecordError) {
        let again = try TreeRecord(shown, names: names)
        expect(again == record, "an entry that is printed is the same")
    } catch {
        fatalError("broken: an entry that is printed is read")
    }
    let tree = Tree(sorting: [TreeEntry(name: record.name, target: target)])
    let stored = tree.encode(with: cipher)
    expect(answer { try Tree.decode(stored[...], with: cipher) } == tree, "a tree holds it")
}

private func checkQuoting(_ text: [UInt8]) {
    expect(
        CQuoting.unquote(CQuoting.quote(text, always: true)[...]) == text,
        "what is quoted is unquoted")
    guard let name = CQuoting.unquote(text[...]) else { return }
    expect(name.count <= text.count, "no escape is longer than what it stands for")
}

private func checkPath(_ text: [UInt8]) {
    guard let names = try? VaultPath.new(text) else { return }
    expect(PrettyLayout.path(names) == text, "a path is its names with slashes between")
    expect(VaultPath.existing(text) == names, "a path that may be written may exist")
    expect(!PathGuard.isProtected(text), "no path is protected")
}

private func checkTime(_ text: [UInt8]) {
    guard let time = Timestamp.parse(text) else { return }
    expect(DocumentRules.times.contains(time), "a time is one that a vault can hold")
    expect(Timestamp.parse(Array(Timestamp.rfc3339(time).utf8)) == time, "a time has one text")
}
