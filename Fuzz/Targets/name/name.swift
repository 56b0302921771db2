// Every line of the input is a name as a person or a document writes it: of an object, a tag, a version, a format.
import Encodings
import Harness
import Objects
import Plumbing
import Store

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let lines = bytes(start, count).split(separator: 0x0A, omittingEmptySubsequences: false)
        .map(Array.init)
    for line in lines {
        checkObjectName(line)
        checkFormat(line)
        checkVersion(line)
        checkWords(line)
    }
    let ids = lines.compactMap { ObjectID($0) }
    for (one, next) in zip(ids, ids.dropFirst()) {
        expect(
            (one < next) == one.bytes.lexicographicallyPrecedes(next.bytes),
            "ids sort as their texts do")
    }
    return 0
}

private func checkObjectName(_ text: [UInt8]) {
    guard let name = ObjectName(text) else { return }
    let spelled = spell(name)
    expect(ObjectName(spelled).map(spell) == spelled, "a name that is spelled out is the same")
    if let digits = name.prefixDigits {
        expect((4...32).contains(digits.count), "the beginning of an id is not longer than one")
    }
    for case .path(let path) in name.steps { plantFault(on: path) }
}

/// The name in full, each step with its number.
private func spell(_ name: ObjectName) -> [UInt8] {
    let base: [UInt8] =
        switch name.base {
        case .id(let id): id.bytes
        case .head: [UInt8(ascii: "@")]
        case .text(let text): text
        }
    return name.steps.reduce(base) { spelled, step in
        switch step {
        case .ancestor(let count): spelled + "~\(count)".utf8
        case .parent(let number): spelled + "^\(number)".utf8
        case .tree: spelled + "^{tree}".utf8
        case .path(let path): spelled + ":".utf8 + path
        }
    }
}

private func checkFormat(_ text: [UInt8]) {
    let atoms = ["objectname", "objecttype", "objectsize", "path"]
    guard let format = RecordFormat(text, atoms: { atoms.contains($0) ? $0 : nil }) else { return }
    let spelled = spell(format)
    expect(
        RecordFormat(spelled, atoms: { $0 }).map(spell) == spelled,
        "a format that is spelled out is the same")
    for case .literal(let bytes) in format.parts { expect(!bytes.isEmpty, "no literal is empty") }
}

private func spell(_ format: RecordFormat<String>) -> [UInt8] {
    format.parts.reduce([]) { spelled, part in
        switch part {
        case .literal(let bytes):
            spelled + bytes.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }
        case .atom(let atom): spelled + "%(\(atom))".utf8
        }
    }
}

private func checkVersion(_ text: [UInt8]) {
    guard let version = ClientVersion(text) else { return }
    let again = ClientVersion(Array("\(version.major).\(version.minor).\(version.patch)".utf8))
    expect(again == version, "a version that is spelled out is the same")
}

/// Grammars that are only checked, and the forms that a text is shown in.
private func checkWords(_ text: [UInt8]) {
    if let id = ObjectID(text) { expect(id.bytes == text, "an id is what it was read from") }
    if let tag = TagName(text) {
        expect(tag.bytes == text, "a tag's name is what it was read from")
        expect(!tag.isCreatable || ObjectID(text) == nil, "no new tag is called like an object")
    }
    if let decoded = Hex.decode(text) {
        expect(Hex.encode(decoded) == text, "bytes have one hex text")
    }
    if let time = DocumentRules.time(.string(text)) {
        expect(Timestamp.rfc3339(time).utf8.count == 24, "a time has 24 letters")
    }
    let normal = DocumentRules.normalized(text)
    expect(DocumentRules.normalized(normal) == normal, "a normal form is normal")
    _ = DocumentRules.isSchema(text)
    let isFile = DocumentRules.isRefID(text) || DocumentRules.isKeyID(text)
    expect(!isFile || !text.contains(UInt8(ascii: "/")), "the name of a file is no path")
    let quoted = CQuoting.quote(text)
    expect(quoted.allSatisfy { (0x20...0x7E).contains($0) }, "a quoted name is printable ASCII")
}
