import CommandInterface
import Objects
import Plumbing
import Secrets
import Store

/// How a person names a secret.
let secretName = Operand("name", "a secret: its title, its file's name or its id", { $0 })

extension OpenVault {
    /// The secrets of the head that a command reads.
    func secrets() throws -> SecretList {
        guard let head = try head() else { return SecretList() }
        return try SecretList(of: open.objects.commit(head).tree, open.objects)
    }

    /// The secrets of the newest head, which a write goes on from.
    func newestSecrets() throws -> SecretList {
        guard let head = try newestHead(of: writableCopy()) else { return SecretList() }
        return try SecretList(of: open.objects.commit(head).tree, open.objects)
    }

    private func head() throws -> ObjectID? {
        try open.head ?? open.bare.refs.read(open.bare.mainRef()).head
    }
}

extension SecretList {
    /// The one secret of that name.
    ///
    /// - Throws: `SecretNameError`; where none is found, why one that may be it cannot be read.
    func one(_ name: [UInt8]) throws -> Secret {
        let found = named(name)
        guard let secret = found.first else {
            if let lost = unread.first(where: { $0.slug == name }) ?? unread.first {
                throw lost.reason
            }
            throw SecretNameError.none(name)
        }
        guard found.count == 1 else {
            throw SecretNameError.several(
                name,
                found.map {
                    "\(String(decoding: $0.document.id, as: UTF8.self))  \(displayable(String(decoding: $0.document.title, as: UTF8.self)))"
                })
        }
        return secret
    }

    /// The same secret in another state of the vault.
    ///
    /// - Throws: `SecretNameError` where it is gone.
    func same(as secret: Secret, named name: [UInt8]) throws -> Secret {
        let id = secret.document.id
        guard !id.isEmpty else { return try one(name) }
        guard
            let found = secrets.first(where: { $0.document.id == id && $0.slug == secret.slug })
                ?? secrets.first(where: { $0.document.id == id })
        else { throw SecretNameError.none(name) }
        return found
    }
}

enum SecretNameError: Error {
    case none([UInt8])
    /// A line each.
    case several([UInt8], [String])
    /// The secret has no such field.
    case noField([UInt8], in: [UInt8])
}

extension SecretNameError: Reportable {
    var report: Report {
        switch self {
        case .none(let name):
            Report(
                "there is no secret \(quoted(name))",
                hint: "'sgit-vault list' shows those there are",
                status: .no)
        case .several(let name, let lines):
            Report(
                "several secrets could be meant by \(quoted(name)): \(lines.joined(separator: "; "))",
                hint: "name it by its id", status: .failure)
        case .noField(let field, let title):
            Report("\(quoted(title)) has no field \(quoted(field))", status: .no)
        }
    }
}
