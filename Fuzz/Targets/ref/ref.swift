// The input is the plaintext of a ref or key object; else a key: DER where it begins as that does, else PEM.
import Cryptography
import Encodings
import Harness
import Objects
import Store

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    promptsAreFindings
    switch input.first {
    case UInt8(ascii: "{"): checkDocument(input)
    case 0x30: checkKey(pem(Base64.encode(input)))
    default: checkKey(input)
    }
    return 0
}

private func checkDocument(_ input: [UInt8]) {
    if let head = answer({ try Refs.decode(input[...]) }), let head {
        let encoded = Refs.encode(head)
        expect(answer { try Refs.decode(encoded[...]) } == head, "a ref that is written reads")
    }
    guard let pem = answer({ try PublicKeys.decode(input[...]) }) else { return }
    let encoded = PublicKeys.encode(pem: pem)
    expect(answer { try PublicKeys.decode(encoded[...]) } == pem, "a key that is written reads")
    checkKey(pem)
    plantFault(on: pem)
}

private func checkKey(_ pem: [UInt8]) {
    guard let key = P256.PublicKey(pem: pem) else { return }
    for count in [0, 63, 64, 65] {
        let zeros = [UInt8](repeating: 0, count: count)
        expect(!key.isValid(zeros, of: pem), "zeros are no signature")
    }
}

private func pem(_ base64: [UInt8]) -> [UInt8] {
    var text = Array("-----BEGIN PUBLIC KEY-----\n".utf8)
    for start in stride(from: 0, to: base64.count, by: 64) {
        text += base64[start..<min(start + 64, base64.count)] + [0x0A]
    }
    return text + "-----END PUBLIC KEY-----\n".utf8
}
