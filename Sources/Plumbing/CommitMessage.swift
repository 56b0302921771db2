package import CommandInterface
import Encodings
import Objects

/// The message of a new commit: UTF-8, no more than its sealed field has room for.
package struct CommitMessage {
    package let text: [UInt8]

    /// The longest message, in bytes: sgit cannot read a commit with a longer one.
    package static let longest = EnvelopeCipher.largestFieldText

    /// - Throws: `UsageError`.
    package init(_ text: [UInt8]) throws(UsageError) {
        guard UTF8Text.isValid(text), !text.contains(0) else {
            throw UsageError("the message is not UTF-8 text")
        }
        guard text.count <= CommitMessage.longest else {
            throw UsageError(
                "the message has \(text.count) bytes; it can have \(CommitMessage.longest)")
        }
        self.text = text
    }
}

/// The time of a new commit or branch: milliseconds since 1970, or RFC 3339.
package enum CommitTime {
    package static func parse(_ text: [UInt8]) -> Int? {
        if let number = Decimal.parse(text) {
            return DocumentRules.times.contains(number) ? number : nil
        }
        return Timestamp.parse(text)
    }
}

/// Why a file gives no key to sign with.
package enum SigningKeyError: Error {
    /// No PEM of a P-256 private key that is not encrypted.
    case noKey(path: String)
    /// No public key of the store belongs to it.
    case notStored(path: String)
}
