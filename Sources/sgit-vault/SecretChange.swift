import CommandInterface
import Devices
import Objects
import Plumbing
import Secrets
import Store

extension OpenVault {
    /// Changes one secret, or makes or removes one, in one signed commit on top of the newest head.
    ///
    /// What other devices wrote is taken in first, so that `edit` sees the newest secrets.
    /// - Parameter edit: the path, the document that is to stand there, nil for none, and the message; nil where
    ///   there is nothing to change.
    func changeSecret(
        _ person: Person, _ call: Invocation,
        _ edit: (SecretList) throws -> (
            path: [EntryName], document: SecretDocument?, message: [UInt8]
        )?
    ) throws -> ExitStatus {
        do {
            return try saving(person) {
                guard let (path, document, message) = try edit(newestSecrets()) else {
                    throw NothingChanged()
                }
                let change = try VaultChange(self, call)
                if let document {
                    let bytes = document.bytes
                    guard bytes.count <= SecretDocument.limit else {
                        throw SecretFieldError.tooLarge(limit: SecretDocument.limit)
                    }
                    try change.put(bytes, at: path)
                } else {
                    try change.remove(path, below: false)
                }
                let (_, failed) = try change.commitOnDevice(VaultChange.cut(message))
                return failed.isEmpty ? .success : .failure
            }
        } catch is NothingChanged {
            person.say("unchanged")
            return .success
        }
    }
}

/// Ends a change before anything is written.
private struct NothingChanged: Error {}

/// Messages of commits name the secret and its fields, never a value.
enum SecretMessage {
    static func text(_ deed: String, _ title: [UInt8]) -> [UInt8] {
        Array(deed.utf8) + " '".utf8 + title + "'".utf8
    }

    static func setting(_ fields: [[UInt8]], of title: [UInt8]) -> [UInt8] {
        text(
            "Set \(String(decoding: Array(fields.joined(separator: ", ".utf8)), as: UTF8.self)) of",
            title)
    }
}
