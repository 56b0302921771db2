// The first byte of the input says in parts of how many bytes the rest comes: a stream of members.
import Encodings
import Harness

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    guard let part = input.first else { return 0 }
    let stream = input.dropFirst()
    guard let records = read(stream, part: Int(part) + 1) else { return 0 }
    expect(
        records.flatMap(\.encoded) == Array(stream), "a stream that is read is what was written")
    expect(read(stream, part: 1) == records, "how a stream comes decides nothing")
    expect(read(stream.dropLast(), part: 256) == nil, "what is cut short is refused")
    for case .file(let name) in records { plantFault(on: name) }
    return 0
}

/// The records of a stream; nil where it is refused.
private func read(_ stream: ArraySlice<UInt8>, part: Int) -> [MemberRecord]? {
    var rest = stream
    var reader = MemberStreamReader { target in
        let bytes = rest.prefix(min(part, target.count))
        target.copyBytes(from: bytes)
        rest = rest.dropFirst(bytes.count)
        return bytes.count
    }
    var records: [MemberRecord] = []
    do {
        while let record = try reader.next() { records.append(record) }
        return records
    } catch is MemberStreamError {
        return nil
    } catch {
        fatalError("broken: an error that is not declared: \(error)")
    }
}
