// The first byte of the input says what becomes of the rest: an envelope as it is, a plaintext to seal, a field.
import Encodings
import Harness
import Objects

/// Plaintexts up to here are taken: far more than an input holds, and less than one can inflate to.
private let limit = 1 << 17

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    guard let way = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    switch way % 6 {
    case 0: checkUnknown(rest)
    case 1: checkPlain(rest)
    case 2: checkBlob(rest)
    case 3: checkAltered(rest)
    case 4: checkStream(rest)
    default: checkField(rest)
    }
    return 0
}

private func open(
    _ envelope: [UInt8], limit: Int = limit
) -> Result<ArraySlice<UInt8>, EnvelopeError> {
    Result { () throws(EnvelopeError) in try cipher.open(envelope, limit: limit) }
}

/// Any bytes.
private func checkUnknown(_ envelope: [UInt8]) {
    let whole = open(envelope)
    expect(
        (whole == .failure(.truncated)) == (envelope.count < EnvelopeLayout.overhead),
        "what is shorter than nonce and tag is cut short, and nothing else is")
    guard let layout = EnvelopeLayout(envelope) else {
        expect(envelope.count < EnvelopeLayout.overhead, "a whole envelope has a layout")
        return
    }
    expect(
        layout.nonce.upperBound == layout.ciphertext.lowerBound
            && layout.ciphertext.upperBound == layout.tag.lowerBound
            && layout.tag.upperBound == envelope.count, "the parts of an envelope are all of it")
}

/// A nonce and a plaintext; the nonce may begin like a deflated envelope.
private func checkPlain(_ input: [UInt8]) {
    guard input.count >= 12 else { return }
    let plaintext = Array(input[12...])
    let envelope = cipher.seal(plaintext, nonce: Array(input[..<12]))
    expect(open(envelope) == .success(plaintext[...]), "what was sealed opens")
    checkLimit(envelope, plaintext[...])
    plantFault(on: plaintext)
}

/// A blob that may be deflated.
private func checkBlob(_ plaintext: [UInt8]) {
    let nonce = [UInt8](repeating: 7, count: 12)
    let envelope = cipher.sealBlob(
        inRoom: EnvelopeLayout.room(for: plaintext), nonce: nonce, deflating: true)
    expect(
        envelope.count <= plaintext.count + EnvelopeLayout.overhead,
        "deflating makes nothing longer")
    expect(open(envelope) == .success(plaintext[...]), "a deflated blob opens")
    checkLimit(envelope, plaintext[...])
}

/// Three bytes that say where and how the envelope of the rest is altered.
private func checkAltered(_ input: [UInt8]) {
    guard input.count >= 3 else { return }
    let plaintext = Array(input[3...])
    var envelope = cipher.sealBlob(
        inRoom: EnvelopeLayout.room(for: plaintext), nonce: Array("twelve bytes".utf8),
        deflating: true)
    let place = (Int(input[0]) << 8 | Int(input[1])) % envelope.count
    if input[2] == 0 {
        envelope.removeSubrange(place...)
        expect(
            open(envelope)
                == .failure(
                    envelope.count < EnvelopeLayout.overhead ? .truncated : .notAuthentic),
            "what is cut short does not open")
    } else {
        envelope[place] ^= input[2]
        expect(open(envelope) == .failure(.notAuthentic), "what is altered does not open")
    }
}

/// What stands for the zlib stream in a deflated envelope.
private func checkStream(_ stream: [UInt8]) {
    let envelope =
        Array("\0sgz1".utf8) + cipher.seal(stream, nonce: [UInt8](repeating: 7, count: 12))
    switch open(envelope) {
    case .success(let plaintext):
        expect(plaintext.count <= limit, "a limit holds")
        checkLimit(envelope, plaintext)
    case .failure(.badDeflate), .failure(.tooLarge(limit)): break
    case .failure: expect(false, "an authentic stream inflates, is none, or is too large")
    }
}

/// The base64 of a sealed field, or a text that becomes one.
private func checkField(_ text: [UInt8]) {
    var plaintext: [UInt8] = []
    do throws(EnvelopeError) {
        try cipher.openField(text, into: &plaintext)
        expect(text.count <= EnvelopeCipher.largestField, "a field has a bound")
    } catch {
        expect(error != .badDeflate, "a field is never deflated")
    }
    if let decoded = Base64.decode(text) {
        expect(Base64.encode(decoded) == text, "bytes have one base64")
    }
    expect(Base64.decode(Base64.encode(text)) == text, "base64 brings the bytes back")
    let sealed = cipher.sealField(text)
    do throws(EnvelopeError) {
        try cipher.openField(sealed, into: &plaintext)
        expect(plaintext == text, "a field opens")
    } catch {
        expect(error == .badField, "a field that does not open is too long")
        expect(text.count > 740, "740 bytes fit in a field")
    }
}

/// The plaintext's own length is a limit that it keeps, and one byte less is not.
private func checkLimit(_ envelope: [UInt8], _ plaintext: ArraySlice<UInt8>) {
    expect(open(envelope, limit: plaintext.count) == .success(plaintext), "a tight limit holds")
    guard !plaintext.isEmpty else { return }
    let limit = plaintext.count - 1
    expect(
        open(envelope, limit: limit) == .failure(.tooLarge(limit: limit)),
        "a plaintext past the limit is refused")
}
