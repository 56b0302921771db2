// The input is the plaintext of a commit or tag, in which `<text>` stands for a sealed field.
import Encodings
import Harness
import Objects

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let plaintext = sealMarked(bytes(start, count))
    let commit = answer { try Commit.decode(plaintext[...]) }
    let tag = answer { try Tag.decode(plaintext[...]) }
    switch DecodedObject(guessing: plaintext[...], with: cipher) {
    case .commit(let guessed): expect(guessed == commit, "what is taken for a commit reads as one")
    case .tag(let guessed): expect(guessed == tag, "what is taken for a tag reads as one")
    default: break
    }
    if let commit { check(commit) }
    if let tag { check(tag) }
    return 0
}

private func check(_ commit: Commit) {
    let again = answer { try Commit.decode(commit.encode()[...]) }
    expect(again == commit, "a commit that is written reads as it was")
    checkCanonical(SigningBytes.canonical(commit))
    var unsigned = commit
    unsigned.signature = nil
    let legacy = SigningBytes.legacy(commit)
    expect(
        answer { try Commit.decode(legacy[...]) } == unsigned,
        "the legacy form is the commit without its signature")
    expect(commit.isSigned == (commit.verdict(with: signer) != .unsigned), "a signature is judged")

    guard let message = answer({ try commit.message(with: cipher) }) else { return }
    expect(UTF8Text.isValid(message), "a message is UTF-8")
    expect(PrettyLayout.text(of: commit, message: message).last == 0x0A, "a commit ends its line")
    let facts = JSONWriter.write(.object(ObjectJSON.facts(of: commit, message: message)), .compact)
    expect(answer { try JSONReader.read(facts) } != nil, "what is shown as JSON reads")
    plantFault(on: message)
}

private func check(_ tag: Tag) {
    let again = answer { try Tag.decode(tag.encode()[...]) }
    expect(again == tag, "a tag that is written reads as it was")
    checkCanonical(SigningBytes.canonical(tag))
    _ = tag.verdict(with: signer)
    expect(PrettyLayout.text(of: tag).last == 0x0A, "a tag ends its line")
    let facts = JSONWriter.write(.object(ObjectJSON.facts(of: tag)), .compact)
    expect(answer { try JSONReader.read(facts) } != nil, "what is shown as JSON reads")
    _ = tag.name.isCreatable
}

/// Members in order of their names, each once, the signature not among them, and no white space between.
private func checkCanonical(_ signed: [UInt8]) {
    guard let document = answer({ try JSONReader.read(signed) }),
        case .object(let members) = document
    else { return expect(false, "the signed bytes are a JSON object") }
    expect(JSONWriter.write(document, .compact) == signed, "the signed bytes are the compact form")
    expect(
        zip(members, members.dropFirst()).allSatisfy { one, next in
            one.name.lexicographicallyPrecedes(next.name)
        }, "signed members are sorted")
    expect(document["signature"] == nil, "a signature does not sign itself")
}
