import Encodings
import SecretMemory
import TestSupport
import Testing
import VaultKeys

@Suite struct DerivationTests {
    private static func hex(_ secret: SecretBytes) -> [UInt8] { Hex.encode(TestKeys.bytes(secret)) }

    @Test(arguments: 0..<8) func derivesTheKeysOfTheVectors(number: Int) throws {
        let row = try Vectors.rows("crypto", "keys", count: 8)[number]
        #expect(Array(try row.text("passphrase").utf8) == (try row.hex("passphrase_utf8_hex")))
        let vaultID = try #require(VaultID(try row.bytes("vault_id")))
        let key = VaultKey(
            passphrase: TestKeys.secret(try row.hex("passphrase_utf8_hex")), vaultID: vaultID)
        let readKey = key.readKey()
        #expect(Self.hex(readKey.secret) == (try row.bytes("read_key")))
        #expect(Self.hex(key.writeKey()) == (try row.bytes("write_key")))
        #expect(Self.hex(readKey.structureKey()) == (try row.bytes("structure_key")))
    }

    @Test func namesTheFilesOfTheVectors() throws {
        for row in try Vectors.rows("crypto", "keys", count: 8) {
            let ids = FileIDs(
                TestKeys.readKey(try row.hex("read_key"), vault: try row.text("vault_id")))
            #expect(ids.mainRef == (try row.text("ref_file_id")))
            #expect(ids.branchIndex == (try row.text("branch_index_file_id")))
            #expect(ids.firstCloneRef == (try row.text("initial_clone_ref_id")))
            #expect(ids.fallbackBranch == (try row.text("fallback_branch_id")))
        }
    }

    @Test func namesTheRefsOfBranchesOfTheVectors() throws {
        var checked = 0
        for row in try Vectors.rows("crypto", "keys", count: 8) {
            let ids = FileIDs(
                TestKeys.readKey(try row.hex("read_key"), vault: try row.text("vault_id")))
            for (name, tail) in try row.pairs("branch_ref_tail") {
                let branch = String(decoding: name, as: UTF8.self)
                #expect(Array(ids.branchRefTail(branch).utf8) == tail)
                checked += 1
            }
        }
        #expect(checked == 24)
    }

    @Test func namesTheCachesOfTheVectors() throws {
        var checked = 0
        for row in try Vectors.rows("crypto", "keys", count: 8) {
            let ids = FileIDs(
                TestKeys.readKey(try row.hex("read_key"), vault: try row.text("vault_id")))
            for (path, tail) in try row.pairs("cache_value_tail") {
                #expect(Array(ids.cacheValueTail(path).utf8) == tail)
                checked += 1
            }
            for (path, tail) in try row.pairs("cache_pointer_tail") {
                #expect(Array(ids.cachePointerTail(path).utf8) == tail)
                checked += 1
            }
        }
        #expect(checked == 48)
    }

    @Test(arguments: Fixture.all) func derivesTheKeysOfTheFixture(fixture: Fixture) throws {
        let vault = try fixture.vault()
        let readKey = TestKeys.readKey(try vault.hex("read_key"), vault: try vault.text("vault_id"))
        #expect(Self.hex(readKey.structureKey()) == (try vault.bytes("structure_key")))
        let ids = FileIDs(readKey)
        #expect(ids.mainRef == (try vault.text("ref_file_id")))
        #expect(ids.branchIndex == (try vault.text("branch_index_file_id")))
    }

    @Test func roundsAreThoseOfTheVectors() throws {
        #expect(VaultKey.rounds == (try Vectors.document("crypto").integer("pbkdf2_iterations")))
    }

    @Test func printsNoPassphrase() throws {
        let key = try KeyString.parse(TestKeys.secret("hunter2:abcd1234"))
        var dumped = "\(key)"
        dump(key, to: &dumped)
        #expect(dumped.contains("<secret>") && !dumped.contains("hunter2"))
    }
}
