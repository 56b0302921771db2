// The input is a JSON document.
import Encodings
import Harness

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let value: JSONValue
    do throws(JSONError) {
        value = try JSONReader.read(input)
    } catch {
        expect(skip(input) == error, "what does not read does not skip, for the same reason")
        return 0
    }
    expect(skip(input) == nil, "what reads skips")
    for style in [.stored, .compact] as [JSONWriter.Style] {
        let written = JSONWriter.write(value, style)
        expect(
            answer { try JSONReader.read(written) } == value, "what is written reads as it was")
        expect(
            style == .compact || written.allSatisfy { (0x20...0x7E).contains($0) },
            "the stored form is printable ASCII")
    }
    check(value, depth: 0)
    return 0
}

/// Why a document does not skip; nil where it does.
private func skip(_ input: [UInt8]) -> JSONError? {
    input.withUnsafeBytes { buffer in
        var scanner = JSONScanner(buffer)
        do throws(JSONError) {
            try scanner.skipValue()
            try scanner.end()
            return nil
        } catch {
            return error
        }
    }
}

private func check(_ value: JSONValue, depth: Int) {
    switch value {
    case .null, .bool: break
    case .number(let text):
        // -2^63 alone fits in an Int and not in 63 bits.
        let reference = Int(String(decoding: text, as: UTF8.self))
        expect(
            value.integer == (reference == .min ? nil : reference), "a whole number has its value")
    case .string(let text): expect(UTF8Text.isValid(text), "a string is UTF-8")
    case .array(let elements):
        expect(depth < JSONReader.maximumDepth, "the nesting has a bound")
        for element in elements { check(element, depth: depth + 1) }
    case .object(let members):
        expect(depth < JSONReader.maximumDepth, "the nesting has a bound")
        for member in members {
            expect(UTF8Text.isValid(member.name), "a name is UTF-8")
            plantFault(on: member.name)
            check(member.value, depth: depth + 1)
        }
    }
}
