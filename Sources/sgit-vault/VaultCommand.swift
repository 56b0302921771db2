import CommandInterface
import Cryptography
import Devices
import Objects
import Plumbing
import Store
import VaultKeys

/// One command of sgit-vault: its word, its form, and what it does.
protocol VaultCommand: Sendable {
    static var word: Word { get }
    /// What follows the word.
    static var usage: [UsageElement] { get }
    static func run(_ call: Invocation) throws -> ExitStatus
}

let vaultChoice = VaultChoice()
let records = RecordOptions()
let message = Option("m", nil, "message", "the message of the commit", { $0 })
let revision = Option(
    nil, "at", "revision", "look at this commit instead of the head", ObjectName.init)

/// A vault that is open, with the device's copy where the store lies in one.
struct OpenVault {
    private(set) var open: OpenStore
    let copy: WorkingCopy?
    /// Nil for a store in a folder that has no record of this device.
    let session: DeviceSession?
    private let call: Invocation

    /// Opens it with the key that the call names, else with the one that the device keeps, else with what opens one of
    /// its locks.
    ///
    /// What other devices wrote since is taken in; that this failed is said, and the device's own copy goes on.
    init(_ call: Invocation) throws {
        self.call = call
        var place = try vaultChoice.place(call)
        var found: (store: OpenStore, key: KeyString)?
        if case .store = place {
            var copy: WorkingCopy?
            let opened = try vaultChoice.store.openKeeping(call) { layout in
                copy = try WorkingCopy.find(at: layout)
                return try copy?.vaultKeyFile()
            }
            found = opened
            copy = try copy ?? WorkingCopy.find(at: opened.store.bare.layout)
            guard let copy, let vault = try DeviceHome.vault(at: copy.root) else {
                open = opened.store
                self.copy = copy
                session = nil
                return
            }
            place = .device(vault)
        }
        guard case .device(let vault) = place else { throw VaultChoiceError.noDeviceVault }
        let opened = try found ?? OpenVault.unlock(vault, call)
        open = opened.store
        guard let copy = try WorkingCopy.find(at: open.bare.layout) else {
            throw DeviceError.damagedConfiguration(path: vault.root)
        }
        self.copy = copy
        let session = DeviceSession(vault, copy, open.bare, key: opened.key, call.conditions)
        self.session = session
        for outcome in try session.refresh() { Saving.warn(outcome, call) }
    }

    private static func unlock(
        _ vault: DeviceVault, _ call: Invocation
    ) throws -> (store: OpenStore, key: KeyString) {
        let key = try KeptKey.open(vault, call)
        let bare = try BareStore(vault.layout(), cipher: EnvelopeCipher(key.readKey))
        let store = OpenStore(bare, now: call.now, runtimeFolder: call.conditions.runtimeFolder)
        return (store, key.key)
    }

    /// Opens it to be read: `@` is this device's head.
    static func toRead(_ call: Invocation) throws -> OpenVault {
        var vault = try OpenVault(call)
        vault.open.head = try vault.ownHead()
        return vault
    }

    /// The copy, for a command that writes.
    func writableCopy() throws -> WorkingCopy {
        guard let copy else { throw DeviceError.noWorkingCopy(path: open.bare.layout.bare) }
        guard !copy.isReadOnly else { throw DeviceError.readOnly(path: copy.root) }
        return copy
    }

    /// Makes a change of the device's copy, and writes the stores after it.
    ///
    /// - Returns: the status of the change, else of the first store that failed.
    func saving(_ person: Person? = nil, _ change: () throws -> ExitStatus) throws -> ExitStatus {
        _ = try writableCopy()
        guard let session else { return try change() }
        var status = ExitStatus.success
        let outcomes = try session.change { status = try change() }
        let saved = Saving.tell(outcomes, person ?? Person(call), call)
        return status == .success ? saved : status
    }

    /// The commit that a command looks at: the one named, else this device's head, else that of `current`.
    func commit(at name: ObjectName?) throws -> ObjectID {
        try open.commitID(of: open.resolve(name ?? OpenVault.newest))
    }

    /// The head that a write of this device goes on from; nil where there is no commit.
    ///
    /// - Throws: `DeviceError.diverged`.
    func newestHead(of copy: WorkingCopy) throws -> ObjectID? {
        try DeviceBranch(of: copy, in: open.bare).heads(in: open.bare).newest
    }

    /// The newest head, or where it and the shared one have diverged this device's own, which is said; nil where the
    /// store is no device's, or has no commit.
    private func ownHead() throws -> ObjectID? {
        guard let copy, !copy.isReadOnly else { return nil }
        do {
            return try newestHead(of: copy)
        } catch let error as DeviceError {
            guard case .diverged(let device, _) = error else { throw error }
            call.warn(error.report)
            return device
        }
    }

    private static var newest: ObjectName {
        guard let name = ObjectName(Array("@".utf8)) else {
            preconditionFailure("the name of the head is none")
        }
        return name
    }
}

extension Invocation {
    /// What a session takes from this call.
    var conditions: DeviceSession.Conditions {
        DeviceSession.Conditions(
            now: now, random: .system, runtimeFolder: environment("XDG_RUNTIME_DIR"),
            program: "sgit-tools \(Tool.version)")
    }
}
