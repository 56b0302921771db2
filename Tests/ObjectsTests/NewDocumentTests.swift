import Cryptography
import Encodings
import Objects
import SecretMemory
import TestSupport
import Testing

/// What a writer makes: sorted trees, facts, signed commits, envelopes where they lie.
@Suite struct NewDocumentTests {
    // MARK: - Trees

    private static func entry(_ name: String, _ kind: ObjectKind) throws -> TreeEntry {
        let id = ObjectID(naming: Array(name.utf8), width: .hex12)
        let facts = BlobFacts(size: 0, contentHash: [], mediaType: [], isLarge: false)
        return TreeEntry(
            name: try #require(EntryName(Array(name.utf8))),
            target: kind == .tree ? .tree(id) : .blob(id, facts))
    }

    @Test func sortsFilesBeforeFoldersEachByTheBytesOfTheirNames() throws {
        let files = ["B", "a", "a b", "a-b", "a.txt", "b", "e\u{301}", "\u{E9}", "\u{1F680}"]
        let folders = ["A", "a", "ab", "\u{E8}"]
        let sorted =
            try files.map { try Self.entry($0, .blob) } + folders.map { try Self.entry($0, .tree) }
        var numbers = SeededNumbers()
        for _ in 0..<50 {
            let tree = Tree(sorting: sorted.shuffled(using: &numbers))
            #expect(tree.entries == sorted, "seed \(numbers.seed)")
        }
        #expect(Tree(sorting: []).entries.isEmpty)
    }

    // MARK: - Facts

    @Test func saysWhatAFileIs() {
        let bytes = Array("..hello\n.".utf8)
        let facts = BlobFacts(of: bytes[2..<8], name: Array("notes.txt".utf8), storedSize: 34)
        let expected = BlobFacts(
            size: 6, contentHash: Array("5891b5b522d5".utf8), mediaType: Array("text/plain".utf8),
            isLarge: false)
        #expect(facts == expected)
        #expect(BlobFacts.hash(of: []) == Array("e3b0c44298fc".utf8))
    }

    @Test(arguments: [(0, false), (4_194_304, false), (4_194_305, true)])
    func callsAFileLargeByTheSizeOfItsEnvelope(size: Int, isLarge: Bool) {
        #expect(BlobFacts(of: [1], name: [0x78], storedSize: size).isLarge == isLarge)
    }

    // MARK: - Commits

    private static func commit(parents: [ObjectID] = [], message: [UInt8]? = nil) -> Commit {
        Commit(
            tree: ObjectID(naming: [1], width: .hex12), parents: parents, sealedMessage: message,
            branch: Array("branch-clone-0123456789abcdef".utf8), time: 1_700_000_000_123)
    }

    @Test func writesANewCommitAsSgitDoes() {
        let (one, other) = (
            ObjectID(naming: [2], width: .hex12), ObjectID(naming: [3], width: .hex32)
        )
        let tree = ObjectID(naming: [1], width: .hex12)
        let commit = Self.commit(parents: [one, other], message: Array("AAAA".utf8))
        let text =
            "{\"schema\": \"commit_v1\", \"tree_id\": \"\(tree.text)\", \"message_enc\": \"AAAA\", "
            + "\"branch_id\": \"branch-clone-0123456789abcdef\", \"signature\": null, "
            + "\"author_key_id\": null, \"author_signature\": null, "
            + "\"parents\": [\"\(one.text)\", \"\(other.text)\"], "
            + "\"timestamp_ms\": 1700000000123, \"attestations\": []}"
        #expect(String(decoding: commit.encode(), as: UTF8.self) == text)
        #expect(commit.parents == [one, other])
    }

    @Test func signsACommitWithTheIDOfItsKey() throws {
        let key = P256.PrivateKey()
        let unsigned = Self.commit()
        let signed = unsigned.signed(with: key, id: Array("key-rnd-imm-01234567".utf8))
        #expect(!unsigned.isSigned && signed.isSigned)
        #expect(signed.authorKey == Array("key-rnd-imm-01234567".utf8))
        #expect(signed.signature.flatMap { Base64.decode($0) }?.count == 64)
        #expect(signed.verdict(with: key.publicKey) == .verified)
        #expect(signed.verdict(with: P256.PrivateKey().publicKey) == .bad)
        var other = signed
        other.authorKey = Array("key-rnd-imm-76543210".utf8)
        #expect(other.verdict(with: key.publicKey) == .bad)
        other = signed
        other.signature = nil
        other.authorKey = nil
        #expect(other == unsigned)
    }

    @Test func readsASignedCommitBack() throws {
        let key = P256.PrivateKey()
        let signed = Self.commit(parents: [ObjectID(naming: [2], width: .hex32)])
            .signed(with: key, id: Array("key-rnd-imm-01234567".utf8))
        let read = try Commit.decode(signed.encode()[...])
        #expect(read == signed)
        #expect(read.verdict(with: key.publicKey) == .verified)
    }

    @Test func signsACommitAnew() {
        let (first, second) = (P256.PrivateKey(), P256.PrivateKey())
        let commit = Self.commit().signed(with: first, id: Array("key-rnd-imm-01234567".utf8))
            .signed(with: second, id: Array("key-rnd-imm-76543210".utf8))
        #expect(commit.verdict(with: second.publicKey) == .verified)
        #expect(commit.verdict(with: first.publicKey) == .bad)
    }

    // MARK: - Envelopes where they lie

    @Test(arguments: [0, 1, 15, 16, 17, 1000])
    func leavesRoomOfZerosAroundAPlaintext(count: Int) {
        var numbers = SeededNumbers()
        let plaintext = numbers.bytes(count)
        let room = EnvelopeLayout.room(for: plaintext)
        #expect(room.prefix(12) == [UInt8](repeating: 0, count: 12)[...])
        #expect(room.dropFirst(12).dropLast(16) == plaintext[...], "seed \(numbers.seed)")
        #expect(room.suffix(16) == [UInt8](repeating: 0, count: 16)[...])
        #expect(EnvelopeLayout.roomBefore == 12 && EnvelopeLayout.roomAfter == 16)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1000])
    func sealsInRoomAsItSealsElsewhere(count: Int) throws {
        var numbers = SeededNumbers()
        let plaintext = numbers.bytes(count)
        let cipher = TestKeys.cipher()
        let envelope = cipher.seal(
            inRoom: EnvelopeLayout.room(for: plaintext), nonce: anyNonce)
        #expect(envelope.prefix(12) == anyNonce[...])
        #expect(envelope == cipher.seal(plaintext, nonce: anyNonce), "seed \(numbers.seed)")
        #expect(try Array(cipher.open(envelope, limit: count)) == plaintext)
    }

    @Test func sealsOverWhateverTheRoomHolds() {
        let cipher = TestKeys.cipher()
        let room = [UInt8](repeating: 9, count: 12) + [1, 2, 3] + [UInt8](repeating: 9, count: 16)
        #expect(
            cipher.seal(inRoom: room, nonce: anyNonce)
                == cipher.seal([1, 2, 3], nonce: anyNonce))
    }

    @Test func sealsAMessageUnderItsNonce() throws {
        let cipher = TestKeys.cipher()
        let field = cipher.sealField(Array("hello".utf8), nonce: anyNonce)
        #expect(Base64.decode(field)?.prefix(12) == anyNonce[...])
        var opened: [UInt8] = []
        try cipher.openField(field, into: &opened)
        #expect(opened == Array("hello".utf8))
    }
}
