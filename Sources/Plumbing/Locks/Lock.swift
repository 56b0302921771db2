package import Encodings

/// What a lock gives to whoever opens it.
package enum Grant: String {
    /// The vault key: reads and writes.
    case vault
    /// The read key.
    case read
}

package enum LockKind: Equatable {
    case recoveryCode, passphrase, secret, rsaOAEP, p256, command
    /// A kind of a later version: listed, passed over and kept.
    case unknown([UInt8])

    package static let known: [(name: StaticString, kind: LockKind)] = [
        ("recovery-code", .recoveryCode), ("passphrase", .passphrase), ("secret", .secret),
        ("rsa-oaep", .rsaOAEP), ("p256", .p256), ("command", .command),
    ]

    package init(_ name: [UInt8]) {
        self =
            LockKind.known.first { name.isEqual(to: $0.name) }?.kind ?? .unknown(name)
    }

    /// As a lock writes it.
    package var name: [UInt8] {
        if case .unknown(let name) = self { return name }
        return LockKind.known.first { $0.kind == self }.map { Array("\($0.name)".utf8) } ?? []
    }
}

/// One lock of a vault: the key of the vault, sealed under one secret.
///
/// The document is kept whole, so that a lock this release does not know is written again byte for byte. That it is an
/// object is all that is known of it before it is asked: a lock of a bad form is one that cannot be used.
///
/// - Source: docs/vault-file.md, "Locks".
package struct Lock: Equatable {
    package let document: JSONValue

    package static func == (one: Lock, other: Lock) -> Bool { one.canonical == other.canonical }

    package init(_ document: JSONValue) {
        self.document = document
    }

    /// 16 hex digits.
    package var id: [UInt8] { text("id") ?? [] }
    package var kind: LockKind { LockKind(kindName) }
    package var kindName: [UInt8] { text("kind") ?? [] }
    /// Nil where it is none that this release knows.
    package var grant: Grant? {
        text("grants").flatMap { Grant(rawValue: String(decoding: $0, as: UTF8.self)) }
    }
    /// `YYYY-MM-DDTHH:MM:SSZ`.
    package var createdAt: [UInt8] { text("created_at") ?? [] }
    package var label: [UInt8] { text("label") ?? [] }
    /// When a person last proved that it opens; nil where nobody has.
    package var rehearsedAt: [UInt8]? { text("rehearsed_at") }
    package var parameters: JSONValue { document["params"] ?? .null }
    /// Nonce, ciphertext and tag; nil where it is not hex.
    package var sealed: [UInt8]? { text("sealed").flatMap { Hex.decode($0) } }

    /// The lock with the time at which a person proved that it opens.
    ///
    /// - Parameter time: `YYYY-MM-DDTHH:MM:SSZ`.
    package func rehearsed(at time: [UInt8]) -> Lock {
        var document = document
        document.set("rehearsed_at", .string(time))
        return Lock(document)
    }

    package var canonical: [UInt8] { CanonicalJSON.encode(document) }

    /// Whether the members that every lock has are there, in their form: what a header demands of one of any kind.
    package var hasForm: Bool {
        guard case .object = document, case .object = parameters, let label = text("label") else {
            return false
        }
        return Lock.isID(id) && Lock.isTime(createdAt) && grant != nil
            && (1...64).contains(kindName.count)
            && String(decoding: label, as: UTF8.self).unicodeScalars.count <= Lock.longestLabel
            && sealed != nil
    }

    /// In characters, as Unicode counts scalars.
    package static let longestLabel = 64

    package static func isID(_ text: [UInt8]) -> Bool {
        text.count == 16 && text.allSatisfy { Hex.value($0) != nil }
    }

    /// Whether a text is `YYYY-MM-DDTHH:MM:SSZ`; the numbers are not judged.
    package static func isTime(_ text: [UInt8]) -> Bool {
        let form = Array("0000-00-00T00:00:00Z".utf8)
        return text.count == form.count
            && zip(text, form).allSatisfy { $1 == 0x30 ? $0.isDigit : $0 == $1 }
    }

    private func text(_ name: StaticString) -> [UInt8]? {
        if case .string(let text) = document[name] { return text }
        return nil
    }
}

extension Lock {
    /// The lock as it travels alone: one line.
    ///
    /// - Parameter vaultID: the vault that it belongs to.
    package func line(vaultID: [UInt8]) -> [UInt8] {
        CanonicalJSON.encode(
            .object([
                .init("format", .text("sgvault")), .init("lock", document),
                .init("vault_id", .string(vaultID)), .init("version", .integer(1)),
            ]))
    }
}
