// The input is a file that may be the document of a secret; one that is, is changed, and must keep what nobody changed.
import Encodings
import Harness
import Secrets

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let slug = Slug.of(input)
    expect(
        slug.count <= 64 && slug.allSatisfy { $0.isDigit || $0.isLowercase || $0 == 0x2D }
            && slug.first != 0x2D && slug.last != 0x2D, "a slug is letters, digits and hyphens")
    guard let secret = SecretDocument(input) else { return 0 }
    plantFault(on: secret.notes)
    expect(SecretDocument(secret.bytes) == secret, "what is written reads the same")
    expect(secret.changes(since: secret).isEmpty, "nothing differs from itself")
    let names = secret.fields.map(\.name)
    expect(Set(names).count == names.count, "a field stands once")

    var changed = secret
    let name = Array("a new field".utf8)
    changed.setField(name, [0x78])
    changed.touch("2026-12-01T00:00:00Z")
    expect(changed.field(name) == [0x78], "a field that is set is there")
    for field in secret.fields where field.name != name {
        expect(changed.field(field.name) == field.value, "other fields stay")
    }
    expect(changed.title == secret.title && changed.id == secret.id, "the secret is the same")
    expect(
        changed.changes(since: secret).allSatisfy { $0 == name }, "only that field is another")
    changed.removeField(name)
    expect(changed.field(name) == nil, "a field that is removed is gone")
    return 0
}
