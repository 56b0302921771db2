import CommandInterface
import Cryptography
import Encodings
import Plumbing
import SecretMemory
import Secrets
import Unlocking

/// Values of fields as a call gives them; a hidden one comes by file, by descriptor or by prompt, never as an argument.
struct SecretFields: Sendable {
    private let descriptor = Option(
        nil, "field-fd", "name=n", "read the value of a field from this descriptor",
        repeated: true,
        { text -> (name: [UInt8], descriptor: Int32)? in
            guard let (name, value) = SecretFields.halves(text),
                let number = Decimal.parse(value).flatMap({ Int32(exactly: $0) })
            else { return nil }
            return (name, number)
        })
    private let file = Option(
        nil, "field-file", "name=file", "read the value of a field from this file",
        repeated: true, completion: .files,
        { text -> (name: [UInt8], path: String)? in
            guard let (name, value) = SecretFields.halves(text), !value.isEmpty,
                let path = String(validating: value, as: UTF8.self)
            else { return nil }
            return (name, path)
        })

    var elements: UsageElement { .any(descriptor, file) }

    /// A field and its value.
    typealias Field = (name: [UInt8], value: [UInt8])

    /// What files and descriptors hold, but for one line end, which is no part of a value.
    ///
    /// - Throws: `SecretOptionsError`, `SecretFieldError`.
    func read(_ call: Invocation) throws -> [Field] {
        try call.all(descriptor).map { ($0.name, try read(.descriptor($0.descriptor), $0.name)) }
            + call.all(file).map { ($0.name, try read(.file($0.path), $0.name)) }
    }

    private func read(_ input: SecretInput, _ name: [UInt8]) throws -> [UInt8] {
        let content: SecretBytes
        do throws(SecretInputError) {
            content = try input.readDocument(acceptingReadableByOthers: true)
        } catch {
            if case .tooLong(_, let limit) = error { throw SecretFieldError.tooLarge(limit: limit) }
            throw SecretOptionsError.input(error)
        }
        var value = content.withBytes { Array($0) }
        if value.last == 0x0A {
            value.removeLast()
            if value.last == 0x0D { value.removeLast() }
        }
        return try SecretFields.text(value, name)
    }

    /// A value that a document can hold.
    static func text(_ value: [UInt8], _ name: [UInt8]) throws -> [UInt8] {
        guard UTF8Text.isValid(value) else { throw SecretFieldError.noText(name) }
        return value
    }

    /// - Throws: `SecretFieldError.reserved` for a name under which something else is shown.
    static func check(_ name: [UInt8]) throws {
        let taken = ["title", "kind", "id", "notes", "tags"]
        guard !taken.contains(where: { name.elementsEqual($0.utf8) }) else {
            throw SecretFieldError.reserved(name)
        }
    }

    /// The two sides of the first `=`; nil where there is none, or no name before it.
    static func halves(_ text: [UInt8]) -> ([UInt8], [UInt8])? {
        guard let place = text.firstIndex(of: UInt8(ascii: "=")), place > 0,
            UTF8Text.isValid(Array(text[..<place]))
        else { return nil }
        return (Array(text[..<place]), Array(text[(place + 1)...]))
    }
}

extension Person {
    /// Asks for the value of a field, which a person may leave to the machine where one makes it better.
    ///
    /// - Throws: `PersonError`.
    func ask(field name: [UInt8], isHidden: Bool, isMade: Bool) throws -> [UInt8] {
        let shown = displayable(String(decoding: name, as: UTF8.self))
        let typed = try ask(
            isMade ? "\(shown) (Enter makes one): " : "\(shown): ", isHidden ? .hidden : .shown)
        guard typed.count == 0 else {
            return try SecretFields.text(typed.withBytes { Array($0) }, name)
        }
        guard isMade else { throw PersonError.nothingTyped }
        say("made by this machine; 'sgit-vault get' shows it")
        return NewPassword.make(random: .system).withBytes { Array($0) }
    }
}

enum SecretFieldError: Error {
    /// A hidden value stands in an argument, where others can read it.
    case hiddenArgument([UInt8])
    case noText([UInt8])
    /// The name of what stands beside the fields.
    case reserved([UInt8])
    /// In bytes, of a value or of the whole document.
    case tooLarge(limit: Int)
}

extension SecretFieldError: Reportable {
    var report: Report {
        switch self {
        case .hiddenArgument(let name):
            let name = displayable(String(decoding: name, as: UTF8.self))
            return Report(
                "'\(name)' is a hidden field: an argument can be read by everyone on this machine",
                hint:
                    "leave it out to be asked, or say --field-file \(name)=FILE or --field-fd \(name)=N",
                status: .usage)
        case .noText(let name):
            return Report(
                "the value of \(quoted(name)) is not UTF-8",
                hint: "'sgit-vault put' stores any bytes, as a file", status: .failure)
        case .reserved(let name):
            return Report(
                "\(quoted(name)) cannot be a field: it is what stands beside them", status: .usage)
        case .tooLarge(let limit):
            return Report(
                "that is more than a secret may hold: \(limit) bytes",
                hint: "'sgit-vault put' stores any number, as a file", status: .failure)
        }
    }
}
