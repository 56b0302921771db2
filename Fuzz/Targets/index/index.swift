// The input is the plaintext of a branch index.
import Encodings
import Harness
import Objects
import Store

/// Tags of the corpus lie before and after it.
private let now = 1_700_000_000_000

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    guard let index = answer({ try BranchIndex.decode(input[...]) }) else { return 0 }
    let stored = JSONWriter.write(index.document, .stored)
    guard let again = answer({ try BranchIndex.decode(stored[...]) }) else {
        expect(false, "an index that is written reads")
        return 0
    }
    expect(
        again.gate == index.gate && again.branches == index.branches && again.tags == index.tags,
        "an index that is written reads as it was")

    for branch in index.branches {
        expect(index.branch(named: branch.name)?.name == branch.name, "a branch is found by name")
        expect(
            DocumentRules.isRefID(branch.ref) && (branch.key.map(DocumentRules.isKeyID) ?? true),
            "what becomes the name of a file has its form")
    }
    for feature in index.gate.features { plantFault(on: feature) }
    _ = index.gate.admitsThisClient
    _ = index.gate.idWidth

    var reversed = index
    reversed.tags.reverse()
    for case .entry(let name, _, _, _) in index.tags {
        expect(
            index.tag(named: name, now: now) == reversed.tag(named: name, now: now),
            "the order of tag entries decides nothing")
    }
    return 0
}
