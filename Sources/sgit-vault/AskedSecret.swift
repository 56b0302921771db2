import CommandInterface
import Devices
import Locks
import Plumbing
import SecretMemory
import Unlocking
import VaultFile
import VaultKeys

extension LockedVault {
    /// Opens with what is offered, a recovery code with one mistake mended; asks where nothing is.
    ///
    /// - Throws: `PersonError`, `OpeningError`, `LockError`, and what taking a secret throws.
    func open(_ offered: OfferedSecret?, _ person: Person, _ call: Invocation) throws -> Opened {
        guard let offered,
            offered.content != nil || list.locks.contains(where: { $0.kind == .command })
        else { return try ask(person, call) }
        do {
            return try open(with: offered)
        } catch {
            guard offered.isCode, let content = offered.content,
                list.locks.contains(where: { $0.kind == .recoveryCode })
            else { throw error }
            return try mended(TypedCode(content), person, call).opened
        }
    }

    /// Asks for what opens a lock: a passphrase, and where none is typed a recovery code; three times.
    ///
    /// A code is taken with one mistake in it, which is said.
    /// - Throws: `PersonError`, `OpeningError`, `LockError`.
    func ask(_ person: Person, _ call: Invocation) throws -> Opened {
        let kinds: [LockKind] = [.passphrase, .recoveryCode].filter { kind in
            list.locks.contains { $0.kind == kind }
        }
        guard !kinds.isEmpty else { throw SecretOptionsError.noSecret }
        return try LockedVault.trying(person) {
            for kind in kinds {
                if kind == .recoveryCode { return try askCode(person, call).opened }
                let typed = try person.ask("Passphrase: ")
                guard typed.count > 0 else { continue }
                return try open(with: OfferedSecret(content: typed, providers: []))
            }
            throw PersonError.nothingTyped
        }
    }

    /// Asks anew where what was typed does not fit, three times in all.
    static func trying<Result>(_ person: Person, _ ask: () throws -> Result) throws -> Result {
        for _ in 1..<Person.tries {
            do {
                return try ask()
            } catch let error as any Reportable where error.report.status == .wrongKey {
                person.say(error.report.message)
            }
        }
        return try ask()
    }

    /// Asks for a recovery code, also over several lines, and says the mistake in it.
    func askCode(
        _ person: Person, _ call: Invocation
    ) throws -> (opened: Opened, code: RecoveryCode) {
        var typed = try person.ask("Code: ", .shown)
        guard typed.count > 0 else { throw PersonError.nothingTyped }
        // A code that is read off two lines of paper is typed in two.
        while TypedCode(typed).lacksAPart {
            let more = try person.ask("", .shown)
            guard more.count > 0 else { break }
            typed = typed.followed(by: more)
        }
        return try mended(TypedCode(typed), person, call)
    }

    /// The lock that a typed code opens, the mistake in the code said.
    ///
    /// - Throws: `ForeignCodeError` where it opens another vault that this device knows.
    func mended(
        _ typed: TypedCode, _ person: Person, _ call: Invocation
    ) throws -> (opened: Opened, code: RecoveryCode) {
        guard let found = try open(typed: typed) else {
            for vault in try DeviceHome.ofPerson(call).vaults()
            where vault.id.bytes != vaultID {
                guard let remembered = vault.record.remembered else { continue }
                let other = LockedVault(path: vault.name, remembered.header)
                if try other.open(typed: typed) != nil {
                    throw ForeignCodeError(path: path, name: vault.name, id: vault.id.text)
                }
            }
            // What cannot be a code at all is told as such.
            _ = try typed.code()
            throw OpeningError.opensNothing(
                path: path, tried: list.locks.count { $0.kind == .recoveryCode })
        }
        if let fault = found.fault {
            person.say("\(fault.words). It opens \(LockWords.name(found.opened.lock)).")
        }
        return (found.opened, found.code)
    }
}

/// A recovery code is right, but for another vault that this device knows.
struct ForeignCodeError: Error {
    let path: String
    let name: String
    let id: String
}

extension SecretBytes {
    func followed(by other: SecretBytes) -> SecretBytes {
        SecretBytes(count: count + other.count) { target in
            withBytes { target.copyMemory(from: $0) }
            other.withBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: $0)
            }
            return target.count
        }
    }
}
