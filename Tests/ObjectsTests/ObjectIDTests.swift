import Cryptography
import Encodings
import Objects
import TestSupport
import Testing

@Suite struct ObjectIDTests {
    private static func id(_ text: String) -> ObjectID? { ObjectID(Array(text.utf8)) }

    @Test func namesTheBytesOfTheVectors() throws {
        let vectors = try Vectors.document("crypto").row("object_ids")
        for row in try Vectors.rows(of: vectors, "compute", count: 3) {
            let bytes = try row.hex("bytes_hex")
            #expect(ObjectID(naming: bytes, width: .hex12).bytes == (try row.bytes("id12")))
            #expect(ObjectID(naming: bytes, width: .hex32).bytes == (try row.bytes("id32")))
            #expect(
                Array(Hex.encode(SHA256.digest(bytes).bytes).prefix(12))
                    == (try row.bytes("content_hash")))
        }
    }

    @Test func matchesAsEveryRowOfTheVectorsSays() throws {
        let vectors = try Vectors.document("crypto").row("object_ids")
        for row in try Vectors.rows(of: vectors, "check", count: 11) {
            let digest = SHA256.digest(try row.hex("bytes_hex"))
            let matches = ObjectID(try row.bytes("id"))?.names(digest) ?? false
            #expect(matches == (try row.flag("matches")), "\(row)")
        }
    }

    @Test(arguments: [ObjectID.Width.hex12, .hex32])
    func readsBackItsTextAtEveryWidth(width: ObjectID.Width) throws {
        var numbers = SeededNumbers()
        for _ in 0..<500 {
            let digits = Hex.encode(numbers.bytes(width.digits / 2))
            let text = Array("obj-cas-imm-".utf8) + digits
            let id = try #require(ObjectID(text), "seed \(numbers.seed)")
            #expect(id.bytes == text && id.width == width, "seed \(numbers.seed)")
            #expect(id.text == String(decoding: text, as: UTF8.self))
        }
    }

    @Test func sortsAsItsTextDoes() {
        var numbers = SeededNumbers()
        var ids: [ObjectID] = []
        for _ in 0..<300 {
            let bytes = numbers.bytes(1)
            // The two widths of one hash, and neighbours that differ late.
            ids += [ObjectID(naming: bytes, width: .hex12), ObjectID(naming: bytes, width: .hex32)]
            var text = Array("obj-cas-imm-".utf8) + [UInt8](repeating: 0x30, count: 32)
            text[12 + numbers.below(32)] = Hex.digit(UInt8(numbers.below(16)))
            ids += [ObjectID(text), ObjectID(text[..<24])].compactMap { $0 }
        }
        for _ in 0..<5000 {
            let (one, other) = (ids[numbers.below(ids.count)], ids[numbers.below(ids.count)])
            #expect(
                (one < other) == one.bytes.lexicographicallyPrecedes(other.bytes),
                "\(one.text) \(other.text), seed \(numbers.seed)")
        }
    }

    @Test func tellsTheWidthsOfOneHashApart() {
        let digest = SHA256.digest(Array("x".utf8))
        #expect(ObjectID(digest, width: .hex12) != ObjectID(digest, width: .hex32))
        let zeros = Self.id("obj-cas-imm-000000000000")
        #expect(zeros != Self.id("obj-cas-imm-" + String(repeating: "0", count: 32)))
    }

    @Test func isCheckedAtItsOwnWidth() {
        let digest = SHA256.digest(Array("x".utf8))
        #expect(ObjectID(digest, width: .hex12).names(digest))
        #expect(ObjectID(digest, width: .hex32).names(digest))
        var text = ObjectID(digest, width: .hex32).bytes
        text[43] = text[43] == 0x30 ? 0x31 : 0x30
        #expect(ObjectID(text)?.names(digest) == false)
    }

    @Test(arguments: [
        "", "obj-cas-imm-", "obj-cas-imm-0", "obj-cas-imm-01234567890", "obj-cas-imm-0123456789abc",
        "obj-cas-imm-0123456789AB", "OBJ-CAS-IMM-0123456789ab", "obj-cas-imm-0123456789ag",
        " obj-cas-imm-0123456789ab", "obj-cas-imm-0123456789ab\n", "obj-cas-imm_0123456789ab",
        "0123456789ab", "obj-cas-imm-0123456789ab/../x", "obj-cas-imm-../../../..",
        "ref-pid-muw-0123456789ab", "obj-cas-imm-0123456789abcdef0123456789abcde",
        "obj-cas-imm-0123456789abcdef0123456789abcdef0", "obj-cas-imm-0123456789a\u{0}",
        "obj-cas-imm-+123456789ab",
    ])
    func refusesWhatIsNotExactlyOfItsForm(text: String) {
        #expect(Self.id(text) == nil)
    }
}

@Suite struct EntryNameTests {
    @Test func keepsTheSpellingsOfACharacterApart() throws {
        let composed = try #require(EntryName(Array("\u{E9}".utf8)))
        let decomposed = try #require(EntryName(Array("e\u{301}".utf8)))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }

    @Test func sortsByBytes() {
        let names = ["z", "\u{E9}", "a.txt", "a", "B", "a-b", "a b", "\u{1F680}", "\u{FFFF}"]
        let sorted = names.compactMap { EntryName(Array($0.utf8)) }.sorted().map(\.bytes)
        let expected = ["B", "a", "a b", "a-b", "a.txt", "z", "\u{E9}", "\u{FFFF}", "\u{1F680}"]
        #expect(sorted == expected.map { Array($0.utf8) })
    }

    @Test func refusesNothingAndWhatIsNoText() {
        #expect(EntryName([]) == nil)
        #expect(EntryName([0xFF]) == nil)
        #expect(EntryName([0xED, 0xA0, 0x80]) == nil)
    }
}
