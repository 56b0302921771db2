// The input is the plaintext of a tree, in which `<text>` stands for a sealed field.
import Encodings
import Harness
import Objects

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let plaintext = sealMarked(bytes(start, count))
    let tree = answer { try Tree.decode(plaintext[...], with: cipher) }
    if case .tree(let guessed) = DecodedObject(guessing: plaintext[...], with: cipher) {
        expect(guessed == tree, "what is taken for a tree reads as one")
    }
    guard let tree else { return 0 }
    let encoded = tree.encode(with: cipher)
    expect(
        answer { try Tree.decode(encoded[...], with: cipher) } == tree,
        "a tree that is written reads as it was")
    expect(DecodedObject.declaredKind(encoded[...]) == .tree, "a written tree says that it is one")
    for entry in tree.entries { check(entry, of: tree) }
    return 0
}

private func check(_ entry: TreeEntry, of tree: Tree) {
    let name = entry.name.bytes
    expect(tree.entry(named: name)?.name == entry.name, "an entry is found by its name")
    if case .blob(_, let facts) = entry.target { expect(facts.size >= 0, "a size is not negative") }
    let guarded = (PathGuard.isWritable(name), PathGuard.isProtected(name))
    expect(guarded != (true, true), "what is protected is not written")
    expect(PathGuard.isProtected(name + "/x".utf8) == guarded.1, "a folder guards what is in it")
    expect(!MediaType.guess(name).isEmpty, "every name has a media type")
    let record = PrettyLayout.record(entry.target, path: name, details: true, names: .quoted)
    expect(
        record.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 },
        "a record is one line of printable ASCII")
    let shown = JSONWriter.write(ObjectJSON.entry(entry.target, path: name), .compact)
    expect(answer { try JSONReader.read(shown) } != nil, "what is shown as JSON reads")
    plantFault(on: name)
}
