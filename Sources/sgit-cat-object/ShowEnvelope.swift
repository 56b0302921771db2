import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

/// Prints an envelope as it is stored, or its layout.
///
/// An id or the beginning of one needs no key.
func showEnvelope(_ call: Invocation) throws -> ExitStatus {
    let envelopes = try store.envelopes(call)
    let id = try envelopes.resolve(call[object]) ?? store.open(call).resolve(call[object]).id
    let envelope = try envelopes.envelope(id)
    if call[sealed] {
        call.output.write(envelope)
        return .success
    }
    guard let layout = EnvelopeLayout(envelope) else {
        throw StoreError.damaged(subject: id.text, reason: EnvelopeError.truncated)
    }
    call.output.line("version \(layout.version)")
    call.output.line("nonce \(hex(envelope[layout.nonce]))")
    call.output.line("ciphertext \(layout.ciphertext.count)")
    call.output.line("tag \(hex(envelope[layout.tag]))")
    call.output.line("size \(envelope.count)")
    return .success
}

private func hex(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: Hex.encode(bytes), as: UTF8.self)
}
