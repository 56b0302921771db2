import Encodings

/// What a helper is asked so that a `command` lock opens; it answers the same question alike.
///
/// - Source: docs/vault-file.md, "Locks".
package struct CommandQuestion: Equatable {
    package let vaultID: [UInt8]
    package let lockID: [UInt8]
    /// 32 random bytes.
    package let challenge: [UInt8]

    /// Four lines: what the helper reads.
    package var lines: [UInt8] {
        Array(
            [Array("sgvault/v1/command".utf8), vaultID, lockID, Hex.encode(challenge), []]
                .joined(separator: [0x0A]))
    }
}

extension Lock {
    static let challengeCount = 32

    /// The name of a helper; which program it is, the person's own machine says.
    package static func isProvider(_ name: [UInt8]) -> Bool {
        (1...32).contains(name.count)
            && name.allSatisfy { $0.isLowercase || $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    /// The helper that a `command` lock names; nil for any other lock, and where it is no name.
    package var provider: [UInt8]? {
        guard kind == .command, case .string(let name)? = parameters["provider"],
            Lock.isProvider(name)
        else { return nil }
        return name
    }

    /// What the helper of a `command` lock is asked; nil for any other lock, and where a part of it has a bad form.
    package func commandQuestion(vaultID: [UInt8]) -> CommandQuestion? {
        guard provider != nil, let challenge = hex("challenge", count: Lock.challengeCount) else {
            return nil
        }
        return CommandQuestion(vaultID: vaultID, lockID: id, challenge: challenge)
    }
}
