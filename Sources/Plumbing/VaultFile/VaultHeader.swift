package import Encodings
import Locks
package import Objects

/// Why bytes are no header.
package enum HeaderError: Error, Equatable {
    /// It is larger than `VaultHeader.limit`.
    case tooLarge
    case form(CanonicalJSONError)
    /// A member is absent or has another form.
    case badMember(String)
    /// Another version of the file, made by a later program.
    case version(Int)
}

/// The first member of a vault file: its locks, heads and inventory.
///
/// Nothing in it is to be believed before its code is verified (`VaultFile.verify`). That the bytes are canonical and the
/// members have their kinds is checked here; the form of the vault id and of the locks only by `checkForm`, so that a
/// lock that somebody changed is one that does not open before it is anything else (docs/decisions/0020).
///
/// - Source: docs/vault-file.md, "The header".
package struct VaultHeader {
    /// The document as it is stored, in canonical form.
    package let bytes: [UInt8]
    package let document: JSONValue
    package let vaultID: [UInt8]
    package let requires: [[UInt8]]
    package let serial: Int
    package let writtenAt: [UInt8]
    package let writtenBy: [UInt8]
    /// Every ref, in order, with its commit; nil for a branch that has none.
    package let heads: [Head]
    package let inventory: Inventory
    package let lockList: LockList
    /// 64 hex digits each.
    package let locksCode: [UInt8]
    package let code: [UInt8]

    package struct Head: Equatable {
        package let ref: String
        package let commit: ObjectID?

        package init(ref: String, commit: ObjectID?) {
            self.ref = ref
            self.commit = commit
        }
    }

    /// The largest header, in bytes.
    package static let limit = 1 << 20
    package static let maximumLocks = 64
    package static let maximumRemovedLocks = 4096
    /// The members that this version knows.
    static let known: [StaticString] = [
        "format", "heads", "locks", "locks_mac", "mac", "members", "removed_locks", "requires",
        "serial", "vault_id", "version", "written_at", "written_by",
    ]

    package init(_ bytes: [UInt8]) throws(HeaderError) {
        guard bytes.count <= VaultHeader.limit else { throw .tooLarge }
        do throws(CanonicalJSONError) {
            document = try CanonicalJSON.read(bytes)
        } catch {
            throw .form(error)
        }
        self.bytes = bytes
        guard document["format"] == .text("sgvault") else { throw .badMember("format") }
        guard let version = document["version"]?.integer else { throw .badMember("version") }
        guard version == 1 else { throw .version(version) }
        vaultID = try document.text("vault_id")
        requires = try document.texts("requires", optional: false, limit: 64)
        guard let serial = document["serial"]?.integer, serial >= 1 else {
            throw .badMember("serial")
        }
        self.serial = serial
        writtenAt = try document.text("written_at")
        guard Lock.isTime(writtenAt) else { throw .badMember("written_at") }
        writtenBy = try document.text("written_by")
        guard writtenBy.count <= 128 else { throw .badMember("written_by") }
        heads = try VaultHeader.readHeads(document)
        guard let members = document["members"], let inventory = Inventory(members) else {
            throw .badMember("members")
        }
        self.inventory = inventory
        lockList = try LockList(document)
        locksCode = try document.code("locks_mac")
        code = try document.code("mac")
    }

    /// What the form demands beyond what reading does: of the vault id and the locks.
    package func checkForm() throws(HeaderError) {
        guard (4...24).contains(vaultID.count), vaultID.allSatisfy({ $0.isDigit || $0.isLowercase })
        else { throw .badMember("vault_id") }
        try lockList.checkForm()
    }

    /// The document without its code: what the code is made over.
    var authenticated: [UInt8] { VaultHeader.authenticated(document) }

    static func authenticated(_ document: JSONValue) -> [UInt8] {
        CanonicalJSON.encode(
            .object(document.members.filter { !$0.name.isEqual(to: "mac") }))
    }

    /// The members that this version does not know, which a rewrite keeps.
    package var unknownMembers: [JSONValue.Member] {
        document.members.filter { member in
            !VaultHeader.known.contains { member.name.isEqual(to: $0) }
        }
    }

    /// The unknown members of several headers: of one that differs, the value of the higher serial, else the one whose
    /// canonical bytes are the greater.
    package static func joinedUnknownMembers(_ headers: [VaultHeader]) -> [JSONValue.Member] {
        var joined: [[UInt8]: (serial: Int, value: JSONValue)] = [:]
        for header in headers {
            for member in header.unknownMembers {
                if let known = joined[member.name] {
                    let isGreater = CanonicalJSON.encode(known.value)
                        .lexicographicallyPrecedes(CanonicalJSON.encode(member.value))
                    guard (known.serial, 0) < (header.serial, isGreater ? 1 : 0) else { continue }
                }
                joined[member.name] = (header.serial, member.value)
            }
        }
        return joined.map { JSONValue.Member(name: $0.key, value: $0.value.value) }
    }

    private static func readHeads(_ document: JSONValue) throws(HeaderError) -> [Head] {
        guard case .object(let members)? = document["heads"] else { throw .badMember("heads") }
        var heads: [Head] = []
        for member in members {
            guard DocumentRules.isRefID(member.name), case .string(let text) = member.value else {
                throw .badMember("heads")
            }
            let commit = ObjectID(text)
            guard commit != nil || text.isEmpty else { throw .badMember("heads") }
            heads.append(
                Head(ref: String(decoding: member.name, as: UTF8.self), commit: commit))
        }
        return heads
    }
}

extension JSONValue {
    fileprivate func text(_ name: StaticString) throws(HeaderError) -> [UInt8] {
        guard case .string(let text)? = self[name] else { throw .badMember("\(name)") }
        return text
    }

    /// 64 hex digits.
    fileprivate func code(_ name: StaticString) throws(HeaderError) -> [UInt8] {
        let text = try text(name)
        guard text.count == 64, text.allSatisfy({ Hex.value($0) != nil }) else {
            throw .badMember("\(name)")
        }
        return text
    }

    func texts(
        _ name: StaticString, optional: Bool, limit: Int
    ) throws(HeaderError) -> [[UInt8]] {
        if optional, self[name] == nil { return [] }
        guard let elements = self[name]?.elements, elements.count <= limit else {
            throw .badMember("\(name)")
        }
        var texts: [[UInt8]] = []
        for element in elements {
            guard case .string(let text) = element else { throw .badMember("\(name)") }
            texts.append(text)
        }
        return texts
    }
}
