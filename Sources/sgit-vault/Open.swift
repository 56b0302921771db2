import CommandInterface
import Devices
import Encodings
import FileSystem
import Locks
import Objects
import Plumbing
import Store
import Unlocking
import VaultFile
import VaultKeys

/// Brings a vault that is in a file already to this device.
enum Open: VaultCommand {
    static let word = Word("open", "open a vault file on this device")
    private static let lock = Option(
        nil, "lock", "id", "open the lock of this id", { Lock.isID($0) ? $0 : nil })
    static let fingerprint = Option(
        nil, "fingerprint", "hex", "refuse a vault of another fingerprint: 16 hex digits",
        { text -> [UInt8]? in
            let digits = text.filter { $0 != UInt8(ascii: " ") }
            return digits.count == 16 ? Hex.decode(digits) : nil
        })
    static let file = Operand(
        "file", "the vault file", completion: .files,
        { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) })
    static var usage: [UsageElement] {
        [
            .any(chosenName, noKeepKey), vaultChoice.store.key.elements,
            vaultChoice.secret.elements, .any(lock, fingerprint), .one(file),
        ]
    }

    static func run(_ call: Invocation) throws -> ExitStatus {
        vaultChoice.store.key.prepare(call)
        let file = try VaultFile(call[file])
        let person = Person(call)
        let opened = try key(of: file, person, call)
        let arrival = try Arrival(file, key: opened.key, lock: opened.lock, person, call)
        _ = try arrival.make()
        arrival.tell(person)
        return .success
    }

    private static func key(
        of file: VaultFile, _ person: Person, _ call: Invocation
    ) throws -> (key: KeyString, lock: Lock?) {
        var locked = LockedVault(path: file.path, file.header)
        if let id = call[lock] {
            guard let lock = locked.list.lock(id) else {
                throw OpeningError.noLock(path: file.path, id: id)
            }
            locked = locked.limited(to: lock)
        }
        if let offered = try vaultChoice.secret.offered(call) {
            let opened = try locked.open(offered, person, call)
            return (opened.key, opened.lock)
        }
        if let key = try vaultChoice.store.key.givenKey(call) { return (key, nil) }
        guard !file.header.lockList.locks.isEmpty else {
            return (try KeyString.parse(person.ask("Vault key: ")), nil)
        }
        let opened = try locked.ask(person, call)
        return (opened.key, opened.lock)
    }
}

/// A vault file that arrives on this device: opened and verified.
struct Arrival {
    private let file: VaultFile
    private let key: KeyString
    private let readKey: ReadKey
    private let home: DeviceHome
    /// Where this device knows the vault already.
    private let known: DeviceVault?
    private let shown: String
    private let call: Invocation

    /// Verifies the file, and has the person confirm who made it where nothing else proves that.
    ///
    /// - Parameter lock: what opened it; nil where the key was given.
    /// - Throws: `ArrivalError`, `VaultFileError`.
    init(
        _ file: VaultFile, key: KeyString, lock: Lock?, _ person: Person, _ call: Invocation
    ) throws {
        self.file = file
        self.key = key
        self.call = call
        readKey = key.readKey()
        home = try DeviceHome.ofPerson(call)
        known = try home.vault(key.vaultID)
        let owner: OwnerKey? =
            if case .vaultKey(let key) = key { OwnerKey(key, readKey) } else { nil }
        let verified = try file.verify(
            readKey, owner: owner, isProvenKey: lock != nil, remembered: known?.record.remembered)
        shown = LockWords.fingerprint(verified.fingerprint)
        if let expected = call[Open.fingerprint], expected != Array(verified.fingerprint.prefix(8))
        {
            throw ArrivalError.otherFingerprint(path: file.path, shown: shown)
        }
        if known == nil, let lock { try confirmMaker(lock, person) }
    }

    /// Makes the device's copy, or joins the file to the one there is.
    func make() throws -> DeviceSession {
        let path = try StorePath.absolute(call[Open.file], call)
        let isKept = !call[noKeepKey]
        guard let known else {
            try home.clear()
            return try DeviceSession.begin(
                file, key: key, readKey: readKey, in: home, path: path,
                name: StorePath.name(of: path), device: call.chosenDeviceName, keepsKey: isKept,
                call.conditions)
        }
        let session = try DeviceSession(
            known, known.copy(), BareStore(known.layout(), cipher: EnvelopeCipher(readKey)),
            key: key, call.conditions)
        let outcomes = try session.add(
            path: path, name: StorePath.name(of: path), keeping: isKept ? key : nil)
        for outcome in outcomes { Saving.warn(outcome, call) }
        return session
    }

    /// Says which vault it is, and what this device keeps of it.
    func tell(_ person: Person) {
        person.say(
            known == nil
                ? "First time seen here. Fingerprint \(shown): the same as on your page?"
                : "This device knows the vault already. Fingerprint \(shown).")
        if case .readKey = key {
            person.say("This key only reads: nothing can be changed from here.")
        } else {
            KeptKeyWords.say(isKept: !call[noKeepKey], person)
        }
    }

    /// Anyone can make a vault that a public key opens; who did must be confirmed before anything is saved into it.
    private func confirmMaker(_ lock: Lock, _ person: Person) throws {
        guard [.rsaOAEP, .p256].contains(lock.kind), call[Open.fingerprint] == nil else { return }
        guard person.isThere else { throw ArrivalError.unprovenMaker(shown: shown) }
        person.say(
            "Anyone could have made this vault for your public key. Its fingerprint is \(shown).")
        guard try person.confirms("Is that what its maker told you? [y/N] ") else {
            throw ArrivalError.unprovenMaker(shown: shown)
        }
    }
}

enum ArrivalError: Error {
    case otherFingerprint(path: String, shown: String)
    case unprovenMaker(shown: String)
}
