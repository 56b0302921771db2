import Encodings
import Foundation
import Locks
import Objects
import Store
import TestSupport
import Testing
import VaultFile
import VaultKeys

/// What is believed of a file, and why it is not.
@Suite struct VerificationTests {
    private let vault: PackedVault

    init() throws { vault = try PackedVault() }

    private func error(
        _ file: VaultFile, _ key: ReadKey = PackedVault.readKey, owner: OwnerKey? = nil,
        isProvenKey: Bool = false
    ) throws -> VaultFileError? {
        do {
            try file.verify(key, owner: owner, isProvenKey: isProvenKey)
            return nil
        } catch let error as VaultFileError {
            return error
        }
    }

    private func alteration(
        _ file: VaultFile, owner: OwnerKey? = nil
    ) throws -> VaultFileError.Alteration? {
        guard case .altered(_, let alteration) = try error(file, owner: owner) else { return nil }
        return alteration
    }

    // MARK: - What is whole

    @Test func believesWhatIsWhole() throws {
        let file = try vault.file()
        try file.checkWholeness()
        let read = try file.verify(PackedVault.readKey, owner: nil)
        #expect(!read.locksAreProven)
        #expect(read.fingerprint == PackedVault.readKey.fingerprint())
        #expect(try file.verify(PackedVault.readKey, owner: PackedVault.owner).locksAreProven)
    }

    @Test func theForgingOfTheseTestsIsRight() throws {
        #expect(try error(vault.forged(), owner: PackedVault.owner) == nil)
    }

    // MARK: - The header's code

    @Test func everyChangedMemberIsAltered() throws {
        let edits: [(inout JSONValue) -> Void] = [
            { $0.set("serial", .integer(8)) }, { $0.set("written_by", .text("another")) },
            { $0.set("heads", .object([])) }, { $0.set("x-new", .null) },
            { $0.set("removed_locks", .array([.text("0000000000000001")])) },
            { $0.set("written_at", .text("2020-01-01T00:00:00Z")) },
            { $0.set("mac", .text(String(repeating: "0", count: 64))) },
            { $0.set("locks_mac", .text(String(repeating: "0", count: 64))) },
        ]
        for (number, edit) in edits.enumerated() {
            let file = try vault.forged(isSealed: false) { edit(&$0) }
            #expect(try alteration(file) == .header, "edit \(number)")
        }
    }

    @Test func swappedLocksAreAltered() throws {
        let vector = try VectorFile()
        var document = try CanonicalJSON.read(vector.header)
        let locks = try #require(document["locks"]?.elements)
        document.set("locks", .array(locks.reversed()))
        let members = [("sgvault.json", CanonicalJSON.encode(document))] + (try vector.members)
        let file = try VaultFile(vault.place.stored(ZipDrawing(members).bytes))
        #expect(try alteration(file) == .header)
    }

    @Test func aRenamedKindIsListedAndTheFirstLockStillOpens() throws {
        let vector = try VectorFile()
        var document = try CanonicalJSON.read(vector.header)
        var locks = try #require(document["locks"]?.elements)
        locks[1].set("kind", .text("x-new"))
        document.set("locks", .array(locks))
        let members = [("sgvault.json", CanonicalJSON.encode(document))] + (try vector.members)
        let file = try VaultFile(vault.place.stored(ZipDrawing(members).bytes))
        let list = file.header.lockList
        #expect(list.locks.map(\.kind) == [.recoveryCode, .unknown(Array("x-new".utf8))])
        #expect(list.locks.map(\.document) == locks)
        let code = LockSecret.recoveryCode(TestKeys.secret(Array(0..<16)))
        _ = try list.locks[0].unseal(with: code, vaultID: PackedVault.vaultID)
        #expect(try alteration(file) == .header)
    }

    @Test func tellsAForeignKeyFromAnAlteredHeader() throws {
        let file = try vault.file()
        let other = TestKeys.readKey(Array(0..<32), vault: "testvault01")
        guard case .foreignKey = try error(file, other) else {
            Issue.record("the key names nothing in the file")
            return
        }
        // A lock gave the key, so it is right.
        guard case .altered(_, .header) = try error(file, other, isProvenKey: true) else {
            Issue.record("a proven key is no foreign one")
            return
        }
        let elsewhere = TestKeys.readKey(PackedVault.readKeyBytes ?? [], vault: "othervault01")
        for isProven in [true, false] {
            guard case .foreignKey = try error(file, elsewhere, isProvenKey: isProven) else {
                Issue.record("the file is of another vault")
                return
            }
        }
    }

    @Test func oneNameOfTheKeyIsEnoughToTellThatItIsRight() throws {
        // The head in the header, the ref's file and the index name the key; each alone is enough.
        let main = "bare/refs/" + vault.ids.mainRef
        let index = "bare/indexes/" + vault.ids.branchIndex
        for kept in 0..<3 {
            let file = try vault.forged(
                isSealed: false,
                { document in
                    if kept != 0 { document.set("heads", .object([])) }
                    document.set("serial", .integer(8))
                },
                members: { members in
                    members.removeAll {
                        kept != 1 && $0.name == main || kept != 2 && $0.name == index
                    }
                })
            #expect(try alteration(file) == .header, "kept \(kept)")
        }
        let bare = try vault.forged(
            isSealed: false, { $0.set("heads", .object([])) },
            members: { $0.removeAll { $0.name == main || $0.name == index } })
        guard case .foreignKey = try error(bare) else {
            Issue.record("nothing names the key")
            return
        }
    }

    // MARK: - Features and the form

    @Test func namesAFeatureOnlyOnceTheCodeFits() throws {
        func edit(_ document: inout JSONValue) {
            document.set("requires", .array([.text("x-new")]))
        }
        #expect(try alteration(vault.forged(isSealed: false) { edit(&$0) }) == .header)
        guard case .requires(_, let feature) = try error(vault.forged { edit(&$0) }) else {
            Issue.record("the feature is not named")
            return
        }
        #expect(feature == Array("x-new".utf8))
    }

    @Test func wantsTheFormOfTheLocks() throws {
        let file = try vault.forged { document in
            document.set(
                "locks", .array([DrawnLock.lock(2), DrawnLock.lock(1)].map(\.document)))
        }
        for owner in [nil, PackedVault.owner] {
            guard case .badHeader(_, .badMember("locks")) = try error(file, owner: owner) else {
                Issue.record("the order of the locks")
                return
            }
        }
    }

    // MARK: - The list of locks

    @Test func aReaderCannotReplaceTheLocks() throws {
        let list = DrawnLock.list([DrawnLock.lock(1)])
        let header = vault.newHeader(list: list)
        #expect(
            try vault.file(header).verify(PackedVault.readKey, owner: PackedVault.owner)
                .locksAreProven)
        let edits: [(inout JSONValue) -> Void] = [
            { $0.set("locks", .array([])) },
            { $0.set("locks", .array([DrawnLock.lock(1, label: "x").document])) },
            { $0.set("removed_locks", .array([.text("0000000000000009")])) },
            { $0.set("locks_mac", .text(String(repeating: "0", count: 64))) },
        ]
        for edit in edits {
            let file = try vault.forged(header) { edit(&$0) }
            #expect(try alteration(file, owner: PackedVault.owner) == .locks)
            // Who has the read key alone cannot tell, and is told so.
            #expect(try !file.verify(PackedVault.readKey, owner: nil).locksAreProven)
        }
    }

    // MARK: - Contents

    private func contents(
        _ change: (inout [(name: String, bytes: [UInt8])]) -> Void
    ) throws -> VaultFileError.Alteration? {
        let file = try vault.forged(isSealed: false, members: { change(&$0) })
        // The inventory is what nobody needs a key for.
        #expect(throws: VaultFileError.self) { try file.checkWholeness() }
        return try alteration(file)
    }

    @Test func theInventoryIsExact() throws {
        #expect(try contents { $0.append(("bare/work/x", [1])) } == .contents)
        #expect(
            try contents { members in members.removeAll { $0.name.hasPrefix("bare/data/") } }
                == .contents)
        #expect(
            try contents { members in
                for index in members.indices where members[index].name.hasPrefix("bare/indexes/") {
                    members[index].bytes.append(0)
                }
            } == .contents)
        #expect(
            try contents { members in
                for index in members.indices where members[index].name.hasPrefix("bare/indexes/") {
                    members[index].name += "x"
                }
            } == .contents)
    }

    @Test func anObjectOfAnotherNameIsDamaged() throws {
        let file = try vault.forged(
            isSealed: false,
            members: { members in
                for index in members.indices where members[index].name.hasPrefix("bare/data/") {
                    members[index].bytes.append(0)
                }
            })
        guard case .nameMismatch(_, let name) = try error(file) else {
            Issue.record("the object does not fit its name")
            return
        }
        #expect(name.object == vault.objects[0])
    }

    @Test func everyRefIsWhatTheHeaderSays() throws {
        let main = vault.ids.mainRef
        let other = ObjectID(naming: [1], width: .hex32)
        func heads(
            _ edit: (inout [JSONValue.Member]) -> Void
        ) throws -> VaultFileError.Alteration? {
            try alteration(
                vault.forged { document in
                    var members = document["heads"]?.members ?? []
                    edit(&members)
                    document.set("heads", .object(members))
                })
        }
        #expect(try heads { $0[0].value = .string(other.bytes) } == .head(ref: main))
        #expect(try heads { $0[0].value = .text("") } == .head(ref: main))
        #expect(try heads { $0[1].value = .string(other.bytes) } == .head(ref: vault.emptyRef))
        // A ref that the header does not list, and one that is listed and not there.
        #expect(try heads { $0.removeFirst() } == .head(ref: main))
        #expect(
            try heads { $0.append(.init("ref-pid-snw-ffffffffffff", .text(""))) }
                == .head(ref: "ref-pid-snw-ffffffffffff"))
    }

    @Test func aRefOfAnotherNameIsRefused() throws {
        // A name that no ref has, though it lies among them.
        let file = try vault.forged(members: { members in
            members.append(("bare/refs/zzz", [1]))
        })
        #expect(try alteration(file) == .head(ref: "zzz"))
    }

    @Test func refsAreNotExchanged() throws {
        let second = "ref-pid-snw-111111111111"
        let commit = try vault.put("second")
        try vault.write(
            vault.cipher.seal(Refs.encode(commit), nonce: anyNonce), to: "refs/" + second)
        let file = try vault.forged(
            isSealed: false,
            members: { members in
                let refs = members.indices.filter { members[$0].name.hasPrefix("bare/refs/") }
                let first = members[refs[0]].bytes
                members[refs[0]].bytes = members[refs[2]].bytes
                members[refs[2]].bytes = first
            })
        #expect(try error(vault.file()) == nil)
        #expect(try alteration(file) == .head(ref: vault.ids.mainRef))
    }

    @Test func aRefThatDoesNotOpenIsRefused() throws {
        let file = try vault.forged(
            isSealed: false,
            members: { members in
                for index in members.indices where members[index].name.hasSuffix(vault.emptyRef) {
                    members[index].bytes = [1, 2, 3]
                }
            })
        #expect(try alteration(file) == .head(ref: vault.emptyRef))
    }
}
