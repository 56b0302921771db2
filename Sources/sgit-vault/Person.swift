import CommandInterface
import Cryptography
import Locks
import SecretMemory
import Unlocking

/// Whoever sits at the terminal: questions go to it and never wait where there is none; words go to standard error.
final class Person {
    private let call: Invocation
    private let terminal: Terminal?

    /// How often a secret that does not fit, or does not match, may be typed anew.
    static let tries = 3

    init(_ call: Invocation) {
        self.call = call
        terminal = Terminal.controlling()
    }

    var isThere: Bool { terminal != nil }

    /// One line for a person; behind an answer it stands on the same line.
    func say(_ text: String) {
        if let terminal, terminal.isInLine, call.errorIsTerminal {
            terminal.write("        \(displayable(text))")
            terminal.endLine()
            return
        }
        terminal?.endLine()
        call.say(text)
    }

    /// Ends the line that an answer stands on.
    func endLine() { terminal?.endLine() }

    /// - Throws: `PersonError.absent` where there is no terminal.
    func ask(_ prompt: String, _ echo: Terminal.Echo = .hidden) throws -> SecretBytes {
        guard let terminal else { throw PersonError.absent(prompt: prompt) }
        return try terminal.ask(prompt, echo)
    }

    /// A passphrase that is typed twice; nil for an empty one where that is an answer.
    func askNewPassphrase(_ prompt: String, mayBeEmpty: Bool) throws -> SecretBytes? {
        for attempt in 1... {
            let typed = try ask(prompt)
            if typed.count == 0, mayBeEmpty { return nil }
            do {
                let passphrase = try Passphrase.read(typed)
                let again = try askAgain()
                let isSame = passphrase.withBytes { one in
                    again.withBytes { ConstantTime.areEqual(Array(one), Array($0)) }
                }
                if isSame { return passphrase }
                say("the two are not the same")
            } catch let error as PassphraseError {
                say(error.report.message)
            }
            guard attempt < Person.tries else { break }
        }
        throw PersonError.notTheSame
    }

    private func askAgain() throws -> SecretBytes {
        let typed = try ask("again: ")
        // What is no passphrase is none that is the same.
        return try typed.count == 0 ? typed : Passphrase.read(typed)
    }

    /// What only the terminal may show: a recovery code, with words around it.
    func show(_ before: String, _ secret: SecretBytes, _ after: String) throws {
        guard let terminal else { throw PersonError.absent(prompt: before) }
        terminal.endLine()
        terminal.write(before)
        terminal.write(secret)
        terminal.write(after + "\n")
    }

    /// Asks for yes or no; anything but `y` or `yes` is no.
    func confirms(_ question: String) throws -> Bool {
        let answer = try ask(question, .shown)
        endLine()
        return answer.withBytes { answer in
            ["y", "yes", "Y", "Yes", "YES"].contains { answer.elementsEqual($0.utf8) }
        }
    }
}

/// Why a person gave no answer.
enum PersonError: Error {
    /// There is no terminal to ask on.
    case absent(prompt: String)
    /// What was typed twice was not the same, three times.
    case notTheSame
    case nothingTyped
}
