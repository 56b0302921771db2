/// A kind of secret: which fields a document of it usually has, and which of them are hidden.
///
/// - Source: docs/secrets.md, "Kinds".
package struct SecretKind: Sendable {
    package struct Field: Sendable {
        package let name: String
        /// Whether the value is shown only where it was asked for.
        package let isHidden: Bool
        /// Whether a person leaves the choice of it to a machine.
        package let isMade: Bool

        fileprivate init(_ name: String, isHidden: Bool = false, isMade: Bool = false) {
            self.name = name
            self.isHidden = isHidden
            self.isMade = isMade
        }

        fileprivate static func hidden(_ name: String) -> Field { Field(name, isHidden: true) }
        fileprivate static func made(_ name: String) -> Field {
            Field(name, isHidden: true, isMade: true)
        }
    }

    package let name: String
    package let fields: [Field]

    /// The hidden field that a secret of this kind is there for.
    package var mainField: Field? { fields.first(where: \.isHidden) }

    package static let all = [
        SecretKind(
            name: "login",
            fields: [Field("username"), .made("password"), Field("url"), .hidden("totp")]),
        SecretKind(name: "device-passcode", fields: [Field("device"), .hidden("passcode")]),
        SecretKind(
            name: "wifi",
            fields: [Field("ssid"), .hidden("password"), Field("security"), Field("hidden")]),
        SecretKind(
            name: "card",
            fields: [
                Field("holder"), .hidden("number"), Field("expires"), .hidden("cvc"),
                .hidden("pin"), Field("brand"),
            ]),
        SecretKind(name: "note", fields: [.hidden("text")]),
        SecretKind(
            name: "token", fields: [Field("service"), .hidden("token"), Field("expires")]),
        SecretKind(
            name: "vault-key", fields: [Field("vault_id"), .hidden("vault_key"), Field("endpoint")]),
        SecretKind(
            name: "read-key", fields: [Field("vault_id"), .hidden("read_key"), Field("endpoint")]),
        SecretKind(
            name: "access-key", fields: [Field("service"), Field("key_id"), .hidden("secret")]),
        SecretKind(
            name: "recovery-codes", fields: [Field("service"), .hidden("codes"), Field("used")]),
    ]

    /// The kind of that name; nil for one that this version does not know.
    package static func named(_ name: some Collection<UInt8>) -> SecretKind? {
        all.first { name.elementsEqual($0.name.utf8) }
    }

    /// Whether a field of that name is hidden, in a secret of any kind.
    ///
    /// By name, so that a password in a note is one too.
    package static func hides(_ field: some Collection<UInt8>) -> Bool {
        let name = field.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return all.contains {
            $0.fields.contains { $0.isHidden && name.elementsEqual($0.name.utf8) }
        }
    }
}
