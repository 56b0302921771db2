import CommandInterface
import Cryptography
import Encodings
import Objects
import Plumbing
import Store

/// The atoms of a batch record.
struct BatchFormat {
    enum Atom {
        case name, kind, size, storedSize, contentHash, rest
    }

    let format: RecordFormat<Atom>
    /// Whether the rest of a line after its first white space belongs to the record, not to the name.
    let splitsLines: Bool

    init?(_ text: [UInt8]) {
        let format = RecordFormat<Atom>(text) { name in
            switch name {
            case "objectname": .name
            case "objecttype": .kind
            case "objectsize": .size
            case "objectsize:disk": .storedSize
            case "contenthash": .contentHash
            case "rest": .rest
            default: nil
            }
        }
        guard let format else { return nil }
        self.format = format
        splitsLines = format.parts.contains { part in
            if case .atom(.rest) = part { return true }
            return false
        }
    }
}

/// Answers for one name after the other, and goes on after those it cannot answer.
final class Batch {
    private let vault: OpenStore
    private let call: Invocation
    private let terminator: UInt8
    private let givenFormat: BatchFormat?
    private let isCommanded: Bool
    private let showsContents: Bool
    private var sawDamage = false
    private var sawSealed = false

    init(_ vault: OpenStore, _ call: Invocation) {
        self.vault = vault
        self.call = call
        terminator = records.terminator(call)
        givenFormat = call[format]
        isCommanded = call[batchCommand]
        showsContents = call[batch]
    }

    func run() throws -> ExitStatus {
        if call[batchAll] {
            for id in try vault.objects.ids() { try answer(id.bytes, withContents: showsContents) }
        } else {
            let input = Input(terminator: terminator, beforeWaiting: call.output.flush)
            while let line = try input.next() {
                if isCommanded {
                    try obey(line)
                } else {
                    try answer(line, withContents: showsContents)
                }
            }
        }
        return sawSealed ? .wrongKey : sawDamage ? .damaged : .success
    }

    private func obey(_ line: [UInt8]) throws {
        let command = line.prefix { $0 != UInt8(ascii: " ") }
        let name = Array(line.dropFirst(command.count + 1))
        if command.elementsEqual("contents".utf8), !name.isEmpty {
            try answer(name, withContents: true)
        } else if command.elementsEqual("info".utf8), !name.isEmpty {
            try answer(name, withContents: false)
        } else if line.elementsEqual("flush".utf8) {
            call.output.flush()
        } else {
            throw BatchError.unknownCommand(line)
        }
    }

    private func answer(_ line: [UInt8], withContents: Bool) throws {
        var name = line
        var rest: [UInt8] = []
        if givenFormat?.splitsLines ?? false {
            let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            name = Array(line.prefix { !isSpace($0) })
            rest = Array(line.dropFirst(name.count).drop(while: isSpace))
        }
        do {
            guard let parsed = ObjectName(name) else { throw ObjectNameError.unknown(name: name) }
            let found = try vault.resolve(parsed)
            let plaintext = try vault.objects.read(found.id)
            let kind =
                found.kind
                ?? DecodedObject(guessing: plaintext, with: vault.bare.cipher).kind
            try write(found.id, kind, plaintext, rest: rest)
            if withContents {
                call.output.write(plaintext)
                call.output.write(terminator)
            }
        } catch {
            try say(error, of: name)
        }
    }

    private func write(
        _ id: ObjectID, _ kind: ObjectKind, _ plaintext: ArraySlice<UInt8>, rest: [UInt8]
    ) throws {
        if let format = givenFormat?.format {
            call.output.write(
                try format.fill { atom in
                    switch atom {
                    case .name: id.bytes
                    case .kind: Array(kind.rawValue.utf8)
                    case .size: Array(String(plaintext.count).utf8)
                    case .storedSize: Array(String(try vault.objects.storedSize(id)).utf8)
                    case .contentHash: Array(Hex.encode(SHA256.digest(plaintext).bytes.prefix(6)))
                    case .rest: rest
                    }
                })
        } else {
            call.output.write(id.bytes)
            call.output.write(UInt8(ascii: " "))
            call.output.write(kind.rawValue)
            call.output.write(UInt8(ascii: " "))
            call.output.write(String(plaintext.count))
        }
        call.output.write(terminator)
    }

    /// A record for a name that has no object to show; what is no matter of one object ends the batch.
    private func say(_ error: any Error, of name: [UInt8]) throws {
        let word: String
        switch error {
        case ObjectNameError.ambiguous: word = "ambiguous"
        case is ObjectNameError, StoreError.missing, StoreError.emptyStore,
            StoreError.tagNotVerified(_, .noKey, _):
            word = "missing"
        case StoreError.keyDoesNotFit, StoreError.foreignKey:
            word = "sealed"
            sawSealed = true
        case StoreError.nameMismatch, StoreError.damaged, StoreError.tooLarge,
            StoreError.tagNotVerified:
            word = "damaged"
            sawDamage = true
        default: throw error
        }
        call.output.write(name)
        call.output.write(" " + word)
        call.output.write(terminator)
    }
}

/// A line that `--batch-command` does not know.
enum BatchError: Reportable {
    case unknownCommand([UInt8])

    var report: Report {
        switch self {
        case .unknownCommand(let line):
            Report(
                "unknown command \(quoted(line.prefix(80)))",
                hint: "say 'contents NAME', 'info NAME' or 'flush'", status: .failure)
        }
    }
}
