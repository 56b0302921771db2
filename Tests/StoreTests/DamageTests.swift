import Encodings
import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

/// What a damaged store, an absent file or a wrong key gets.
@Suite struct DamageTests {
    private let place = TemporaryFolder()
    private let folder: String
    private let vault: Row

    init() throws {
        let fixture = Fixture("signatures")
        folder = try place.copy(fixture)
        vault = try fixture.vault()
    }

    private func store(wrongKey: Bool = false) throws -> BareStore {
        var key = try vault.hex("read_key")
        if wrongKey { key[0] ^= 1 }
        let readKey = TestKeys.readKey(key, vault: try vault.text("vault_id"))
        return try BareStore(try #require(StoreLayout(at: folder)), cipher: EnvelopeCipher(readKey))
    }

    private func head() throws -> ObjectID { try #require(ObjectID(try vault.bytes("head"))) }

    private func change(_ file: String, _ edit: (inout [UInt8]) -> Void) throws {
        let url = URL(fileURLWithPath: folder + "/bare/" + file)
        var bytes = Array(try Data(contentsOf: url))
        edit(&bytes)
        try Data(bytes).write(to: url)
    }

    /// The name of the case that a body throws.
    private func failure(_ body: () throws -> Any) -> String {
        do {
            return "\(try body())"
        } catch StoreError.missing {
            return "missing"
        } catch StoreError.nameMismatch {
            return "nameMismatch"
        } catch StoreError.keyDoesNotFit {
            return "keyDoesNotFit"
        } catch StoreError.damaged {
            return "damaged"
        } catch StoreError.tooLarge {
            return "tooLarge"
        } catch StoreError.foreignKey {
            return "foreignKey"
        } catch StoreError.emptyStore {
            return "emptyStore"
        } catch StoreError.needsClient(let version) {
            return "needsClient \(version)"
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Objects

    @Test func findsEveryFlippedByteOfAnObjectByItsName() throws {
        let store = try store()
        let id = try head()
        let count = try store.objects.storedSize(id)
        for index in 0..<count {
            try change("data/\(id.text)") { $0[index] ^= 1 }
            #expect(failure { try store.objects.read(id) } == "nameMismatch", "byte \(index)")
            try change("data/\(id.text)") { $0[index] ^= 1 }
        }
        #expect(throws: Never.self) { try store.objects.read(id) }
    }

    @Test func findsAnObjectCutShortByItsName() throws {
        let id = try head()
        try change("data/\(id.text)") { $0.removeAll() }
        #expect(failure { try store().objects.read(id) } == "nameMismatch")
    }

    @Test func namesDamageAsDamageWhateverTheKey() throws {
        let id = try head()
        try change("data/\(id.text)") { $0[20] ^= 1 }
        #expect(failure { try store(wrongKey: true).objects.read(id) } == "nameMismatch")
    }

    @Test func saysThatAnObjectIsMissing() throws {
        let id = try head()
        try FileManager.default.removeItem(atPath: folder + "/bare/data/\(id.text)")
        #expect(failure { try store().objects.read(id) } == "missing")
        #expect(failure { try store().objects.storedSize(id) } == "missing")
        #expect(try !store().objects.contains(id))
    }

    @Test func saysThatObjectsAreMissingWhereTheirFolderIs() throws {
        try FileManager.default.removeItem(atPath: folder + "/bare/data")
        #expect(failure { try store().objects.read(head()) } == "missing")
        #expect(try store().objects.ids().isEmpty)
    }

    @Test func blamesTheKeyOnlyWhereNothingHasOpened() throws {
        #expect(failure { try self.store(wrongKey: true).objects.read(head()) } == "keyDoesNotFit")
        // An object of another key, under its right name.
        let other = TestKeys.cipher().seal(Array("{}".utf8), nonce: anyNonce)
        let id = ObjectID(naming: other, width: .hex12)
        try Data(other).write(to: URL(fileURLWithPath: folder + "/bare/data/\(id.text)"))
        let store = try store()
        #expect(failure { try store.objects.read(id) } == "keyDoesNotFit")
        _ = try store.objects.read(head())
        #expect(failure { try store.objects.read(id) } == "damaged")
    }

    @Test func refusesAnObjectPastItsLimit() throws {
        let store = try store()
        let id = try head()
        let size = try store.objects.read(id).count
        #expect(throws: Never.self) { try store.objects.read(id, limit: size) }
        #expect(failure { try store.objects.read(id, limit: size - 10) } == "tooLarge")
    }

    @Test func refusesALinkInPlaceOfAnObject() throws {
        let id = try head()
        let path = folder + "/bare/data/\(id.text)"
        try FileManager.default.moveItem(atPath: path, toPath: folder + "/moved")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder + "/moved")
        #expect(failure { try store().objects.read(id) } == "damaged")
    }

    @Test func callsADocumentOfAnotherKindDamaged() throws {
        let store = try store()
        let commit = try store.objects.commit(head())
        #expect(failure { try store.objects.commit(commit.tree) } == "damaged")
        #expect(failure { try store.objects.tree(head()) } == "damaged")
        #expect(failure { try store.objects.tag(head()) } == "damaged")
    }

    // MARK: - Refs, index, keys

    @Test func callsADerivedFileThatDoesNotOpenDamaged() throws {
        let (ref, index) = (try vault.text("ref_file_id"), try vault.text("branch_index_file_id"))
        try change("refs/\(ref)") { $0[30] ^= 1 }
        try change("indexes/\(index)") { $0[30] ^= 1 }
        #expect(failure { try store().refs.read(ref) } == "damaged")
        #expect(failure { try store().index() as Any } == "damaged")
    }

    @Test func blamesTheKeyForAnotherRefUntilSomethingHasOpened() throws {
        let ref = "ref-pid-snw-ffffffffffff"
        let sealed = TestKeys.cipher().seal(Array("{}".utf8), nonce: anyNonce)
        try Data(sealed).write(to: URL(fileURLWithPath: folder + "/bare/refs/\(ref)"))
        let store = try store()
        #expect(failure { try store.refs.read(ref) } == "keyDoesNotFit")
        _ = try store.refs.read(vault.text("ref_file_id"))
        #expect(failure { try store.refs.read(ref) } == "damaged")
    }

    @Test func refusesAPlaintextRef() throws {
        let ref = try vault.text("ref_file_id")
        try change("refs/\(ref)") {
            $0 = Array("{\"commit_id\": \"obj-cas-imm-0123456789ab\"}".utf8)
        }
        #expect(failure { try store().refs.read(ref) } == "damaged")
    }

    @Test func saysThatARefIsAbsent() throws {
        #expect(try store().refs.read("ref-pid-muw-ffffffffffff") == .absent)
    }

    @Test func listsRefsAndPassesOverOtherFiles() throws {
        for name in ["x", "ref-pid-muw-FFFFFFFFFFFF", "ref-pid-muw-0123456789abc", ".hidden"] {
            try Data().write(to: URL(fileURLWithPath: folder + "/bare/refs/" + name))
        }
        let refs = try vault.rows("branches").map { try $0.text("head_ref_id") }
        #expect(try store().refs.ids() == refs.sorted())
    }

    @Test func refusesAnIndexThatOpensAndIsNone() throws {
        let cipher = TestKeys.cipher(try vault.hex("read_key"))
        for text in ["", "x", "[]", "{\"branches\": [{}]}"] {
            try change("indexes/\(vault.text("branch_index_file_id"))") {
                $0 = cipher.seal(Array(text.utf8), nonce: anyNonce)
            }
            #expect(failure { try store().index() as Any } == "damaged", "\(text)")
        }
    }

    @Test func refusesAnIndexThatAsksForANewerClient() throws {
        let cipher = TestKeys.cipher(try vault.hex("read_key"))
        try change("indexes/\(vault.text("branch_index_file_id"))") {
            $0 = cipher.seal(Array("{\"min_client\": \"0.27.0\"}".utf8), nonce: anyNonce)
        }
        #expect(failure { try store().index() as Any } == "needsClient 0.27.0")
    }

    @Test func readsAStoreWithoutAnIndex() throws {
        try FileManager.default.removeItem(atPath: folder + "/bare/indexes")
        let store = try store()
        #expect(try store.index() == nil)
        #expect(try store.mainRef() == vault.text("ref_file_id"))
        #expect(try store.ref(ofBranch: Array("current".utf8)) == vault.text("ref_file_id"))
        #expect(try store.ref(ofBranch: Array("local".utf8)) == nil)
    }

    @Test func knowsAKeyOfAnotherVault() throws {
        #expect(failure { try store(wrongKey: true).explainAbsence() } == "foreignKey")
    }

    @Test func knowsAnEmptyStore() throws {
        for name in ["refs", "indexes"] {
            try FileManager.default.removeItem(atPath: folder + "/bare/" + name)
        }
        #expect(failure { try store().explainAbsence() } == "emptyStore")
    }

    @Test func keepsAKeyThatItHasRead() throws {
        let store = try store()
        let commits = try vault.rows("commits")
        let key = try #require(
            commits.compactMap { try? $0.bytes("author_key_id") }.first { !$0.isEmpty })
        let found = try #require(try store.keys.key(key))
        try FileManager.default.removeItem(atPath: folder + "/bare/keys")
        #expect(try store.keys.key(key) === found)
        #expect(try self.store().keys.key(key) == nil)
    }

    @Test func findsNoKeyOfABadIDOrABadForm() throws {
        let cipher = TestKeys.cipher(try vault.hex("read_key"))
        let store = try store()
        #expect(try store.keys.key(Array("../refs/x".utf8)) == nil)
        for (number, text) in [
            "x", "{}", "{\"pem\": \"x\"}", "{\"type\": \"private\", \"pem\": \"x\"}",
        ].enumerated() {
            let name = "key-rnd-imm-0000000\(number)"
            try Data(cipher.seal(Array(text.utf8), nonce: anyNonce))
                .write(to: URL(fileURLWithPath: folder + "/bare/keys/" + name))
            #expect(try store.keys.key(Array(name.utf8)) == nil)
        }
    }

    // MARK: - Layout

    @Test func findsTheStoreInAFolderOrItself() throws {
        #expect(StoreLayout(at: folder)?.bare == folder + "/bare")
        #expect(StoreLayout(at: folder + "/bare")?.bare == folder + "/bare")
        #expect(StoreLayout(at: folder + "/bare/data") == nil)
        #expect(StoreLayout(at: folder + "/absent") == nil)
    }

    @Test func findsTheNearestWorkingCopyUpward() throws {
        let root = place.path + "/work"
        let manager = FileManager.default
        try manager.createDirectory(atPath: root + "/a/b", withIntermediateDirectories: true)
        #expect(StoreLayout.nearest(from: root + "/a/b") == nil)
        try manager.createDirectory(atPath: root + "/.sg_vault", withIntermediateDirectories: true)
        try manager.copyItem(atPath: folder + "/bare", toPath: root + "/.sg_vault/bare")
        #expect(StoreLayout.nearest(from: root + "/a/b")?.bare == root + "/.sg_vault/bare")
        #expect(StoreLayout.nearest(from: folder)?.bare == folder + "/bare")
    }
}
