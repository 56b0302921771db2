import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

/// The commands on standard input, in git's words.
///
///     update REF NEW [OLD]      create REF NEW      verify REF [OLD]      start      prepare      commit      abort
///
/// Without `start` they are one transaction that ends with the input. With `-z` NUL ends each field of the first
/// three but the command's own word, and an empty OLD is none.
struct RefCommands {
    private enum State {
        /// No `start` was seen.
        case implicit
        case started
        case prepared
        /// A transaction ended with `commit` or `abort`.
        case ended
    }

    private let vault: OpenStore
    private let call: Invocation
    private let input: Input
    private var session: RefSession
    private var state = State.implicit

    init(_ vault: OpenStore, _ call: Invocation) {
        self.vault = vault
        self.call = call
        input = Input(
            terminator: records.terminator(call), beforeWaiting: { call.output.flush() })
        session = RefSession(vault)
    }

    /// Runs them all; a transaction that was begun by `start` and not committed is given up.
    mutating func run() throws {
        while let line = try input.next() { try run(line) }
        guard case .implicit = state else { return }
        try session.prepare()
        try session.commit()
    }

    // MARK: -

    private mutating func run(_ line: [UInt8]) throws {
        let (word, fields) = try parse(line)
        switch word {
        case "start":
            guard state == .implicit || state == .ended else { throw outOfPlace(line) }
            guard state == .ended || session.isEmpty else { throw outOfPlace(line) }
            session = RefSession(vault)
            state = .started
        case "prepare":
            guard state != .prepared, state != .ended else { throw outOfPlace(line) }
            try session.prepare()
            state = .prepared
        case "commit":
            guard state != .ended else { throw outOfPlace(line) }
            if state != .prepared { try session.prepare() }
            try session.commit()
            state = .ended
        case "abort":
            guard state != .ended else { throw outOfPlace(line) }
            session = RefSession(vault)
            state = .ended
        default:
            guard state == .implicit || state == .started else { throw outOfPlace(line) }
            return try ask(word, fields, line)
        }
        call.output.write("\(word): ok")
        call.output.write(records.terminator(call))
    }

    private mutating func ask(_ word: String, _ fields: [[UInt8]], _ line: [UInt8]) throws {
        guard let name = fields.first.flatMap(RefName.init) else { throw malformed(line) }
        func new() throws -> ObjectName {
            guard fields.count > 1, let new = ObjectName(fields[1]),
                OldValue(new.text)?.expectation != .nothing
            else { throw malformed(line) }
            return new
        }
        func old(at place: Int) throws -> RefExpectation? {
            guard fields.count > place, !fields[place].isEmpty else { return nil }
            guard let old = OldValue(fields[place]) else { throw malformed(line) }
            return old.expectation
        }
        switch (word, fields.count) {
        case ("update", 2...3):
            try session.ask(for: name, to: new(), from: old(at: 2))
        case ("create", 2): try session.ask(for: name, to: new(), from: .nothing)
        case ("verify", 1...2):
            try session.ask(for: name, to: nil, from: old(at: 1) ?? .nothing)
        default: throw malformed(line)
        }
    }

    /// The word of a command and its fields; with `-z` those after the first are records of their own.
    private func parse(_ line: [UInt8]) throws -> (word: String, fields: [[UInt8]]) {
        var fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { Array($0) }
        let word = String(decoding: fields.removeFirst(), as: UTF8.self)
        guard ["update", "create", "verify", "start", "prepare", "commit", "abort"].contains(word)
        else { throw malformed(line) }
        guard let count = ["update": 2, "create": 1, "verify": 1][word] else {
            guard fields.isEmpty else { throw malformed(line) }
            return (word, [])
        }
        if call[records.nul] {
            guard fields.count == 1 else { throw malformed(line) }
            for _ in 0..<count {
                guard let field = try input.next() else { throw malformed(line) }
                fields.append(field)
            }
        }
        return (word, fields)
    }

    private func malformed(_ line: [UInt8]) -> RefCommandError { .malformed(line) }

    private func outOfPlace(_ line: [UInt8]) -> RefCommandError { .outOfPlace(line) }
}
