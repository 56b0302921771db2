import CommandInterface
import Cryptography
import Devices
import Objects
import Plumbing
import Store

/// One command of sgit-vault: its word, its form, and what it does.
protocol VaultCommand: Sendable {
    static var word: Word { get }
    /// What follows the word.
    static var usage: [UsageElement] { get }
    static func run(_ call: Invocation) throws -> ExitStatus
}

let store = StoreOptions()
let records = RecordOptions()
let message = Option("m", nil, "message", "the message of the commit", { $0 })
let revision = Option(
    nil, "at", "revision", "look at this commit instead of the head", ObjectName.init)

/// A vault that is open, with the device's copy where the store lies in one.
struct OpenVault {
    private(set) var open: OpenStore
    let copy: WorkingCopy?
    private let call: Invocation

    /// Opens it with the key that the call names, else with the one that the device keeps.
    init(_ call: Invocation) throws {
        self.call = call
        var found: WorkingCopy?
        open = try store.open(call) { layout in
            found = try WorkingCopy.find(at: layout)
            return try found?.vaultKeyFile()
        }
        copy = try found ?? WorkingCopy.find(at: open.bare.layout)
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
