// The input is a key as it is written down. Beside the parser stands a second reading of the grammar, on scalars.
import Encodings
import Harness
import Objects
import SecretMemory
import VaultKeys

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let text = SecretBytes(count: input.count) { target in
        target.copyBytes(from: input)
        return input.count
    }
    let parsed = parse(text)
    expect(parsed == reference(input), "a key is read as its grammar says")
    if case .key(_, let secret, let vaultID) = parsed { check(secret, vaultID) }
    return 0
}

private enum Parsed: Equatable {
    case refused
    case key(KeyString.Declared, secret: [UInt8], vaultID: [UInt8])
}

private func parse(_ text: SecretBytes) -> Parsed {
    do throws(KeyStringError) {
        switch try KeyString.parse(text) {
        case .vaultKey(let key):
            return .key(
                .vaultKey, secret: key.passphrase.withBytes { Array($0) },
                vaultID: key.vaultID.bytes)
        case .readKey(let key):
            let ids = FileIDs(key)
            expect(
                [ids.mainRef, ids.firstCloneRef].allSatisfy {
                    DocumentRules.isRefID(Array($0.utf8))
                },
                "derived names have their form")
            return .key(
                .readKey, secret: key.secret.withBytes { Array($0) }, vaultID: key.vaultID.bytes)
        }
    } catch {
        return .refused
    }
}

private func check(_ secret: [UInt8], _ vaultID: [UInt8]) {
    expect(!secret.isEmpty && (4...24).contains(vaultID.count), "a key has both its parts")
    plantFault(on: vaultID)
}

// MARK: - The grammar once more: docs/vault-format.md, "Key strings"

private func reference(_ input: [UInt8]) -> Parsed {
    guard let text = String(validating: input, as: UTF8.self) else { return .refused }
    var scalars = Array(text.unicodeScalars)[...]
    while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    var key = Array(String(String.UnicodeScalarView(scalars)).utf8)
    var declared = KeyString.Declared.nothing
    for (prefix, meaning) in prefixes where key.starts(with: prefix.utf8) {
        key.removeFirst(prefix.utf8.count)
        declared = meaning
        break
    }
    let colon = UInt8(ascii: ":")
    if declared != .vaultKey, key.count > 65, key[64] == colon, let secret = Hex.decode(key[..<64]),
        key[65...].allSatisfy({ isWord($0) })
    {
        guard let vaultID = VaultID(key[65...]) else { return .refused }
        return .key(.readKey, secret: secret, vaultID: vaultID.bytes)
    }
    guard declared != .readKey, let last = key.lastIndex(of: colon), last > 0,
        let vaultID = VaultID(key[(last + 1)...])
    else { return .refused }
    return .key(.vaultKey, secret: Array(key[..<last]), vaultID: vaultID.bytes)
}

private let prefixes: [(String, KeyString.Declared)] = [
    ("sgit_private_vault_", .vaultKey), ("sgit_vk1_", .vaultKey), ("sgit_private_read_", .readKey),
    ("sgit_public_read_", .readKey), ("sgit_rk1_", .readKey),
]

/// What Python strips: white space, and four separators besides.
private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
}

private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
    default: false
    }
}
