// The input is what a person types: a recovery code, and a passphrase. Beside the code's reader stands a second one, on
// scalars.
import Encodings
import Harness
import Locks
import SecretMemory

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let typed = secret(input)
    checkCode(typed, input)
    checkPassphrase(typed, input)
    return 0
}

private func secret(_ bytes: [UInt8]) -> SecretBytes {
    SecretBytes(count: bytes.count) { target in
        target.copyBytes(from: bytes)
        return bytes.count
    }
}

// MARK: - Codes

private func checkCode(_ typed: SecretBytes, _ input: [UInt8]) {
    let characters = TypedCode(typed)
    var tries = 0
    let found = characters.repaired { _ in
        tries += 1
        return false
    }
    expect(found == nil && tries <= 1 + 26 * 32 + 27, "the repair has an end")
    do throws(RecoveryCodeError) {
        let code = try characters.code()
        let again = try RecoveryCode(code.text)
        expect(
            code.secret.withBytes { one in again.secret.withBytes { one.elementsEqual($0) } },
            "a code is read as it is written")
        expect(code.text.count == 34, "a code has its length")
        expect(reference(input) == .code, "a code is read as its grammar says")
    } catch {
        switch (error, reference(input)) {
        case (.wrongCheckCharacters, .code), (.badCharacter, .badCharacter): break
        case (.wrongLength(let count), .length(let expected)):
            expect(count == expected, "the characters are counted")
        case (_, .bytes): break
        default: expect(false, "no code is read as its grammar says")
        }
    }
}

private enum Reference: Equatable {
    case code
    case badCharacter
    case length(Int)
    /// No UTF-8, of which the grammar says little.
    case bytes
}

private func reference(_ input: [UInt8]) -> Reference {
    guard let text = String(validating: input, as: UTF8.self) else { return .bytes }
    var values: [Int] = []
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x20, 0x09, 0x0D, 0x0A, 0x2D, 0xFEFF, 0xA0, 0xAD, 0x200B, 0x2010...0x2014, 0x2212:
            continue
        default: break
        }
        guard scalar.isASCII else { return .badCharacter }
        var letter = Character(scalar).uppercased()
        if letter == "I" || letter == "L" { letter = "1" }
        if letter == "O" { letter = "0" }
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ").map { String($0) }
        guard let value = digits.firstIndex(of: letter) else { return .badCharacter }
        values.append(value)
    }
    guard values.count == 26 || values.count == 28 else { return .length(values.count) }
    return values[25] % 4 == 0 ? .code : .badCharacter
}

// MARK: - Passphrases

private func checkPassphrase(_ typed: SecretBytes, _ input: [UInt8]) {
    do throws(PassphraseError) {
        let passphrase = try Passphrase.read(typed)
        let composed = passphrase.withBytes { Array($0) }
        expect((1...1024).contains(composed.count), "a passphrase has bounds")
        var line = input[...]
        if line.last == 0x0A { line = line.dropLast() }
        if line.count < input.count, line.last == 0x0D { line = line.dropLast() }
        // Swift compares texts by their canonical forms.
        expect(
            String(decoding: line, as: UTF8.self) == String(decoding: composed, as: UTF8.self),
            "the composed text is the same text")
        let again = try Passphrase.read(passphrase)
        expect(again.withBytes { $0.elementsEqual(composed) }, "it is composed once")
        plantFault(on: composed)
    } catch {
        expect(
            error != .text(.notUTF8) || String(validating: input, as: UTF8.self) == nil,
            "what is UTF-8 is taken for it")
    }
}
