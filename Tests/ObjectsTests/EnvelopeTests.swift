import Encodings
import Objects
import TestSupport
import Testing

@Suite struct EnvelopeTests {
    private let cipher = TestKeys.cipher()

    private static func vectors() throws -> Row { try Vectors.document("crypto").row("envelopes") }

    private static func plaintext(
        _ envelope: [UInt8], _ cipher: EnvelopeCipher = TestKeys.cipher(), limit: Int = 1 << 20
    ) throws -> [UInt8] {
        Array(try cipher.open(envelope, limit: limit))
    }

    private static func deflated(_ plaintext: [UInt8], _ cipher: EnvelopeCipher) -> [UInt8] {
        Array("\0sgz1".utf8) + cipher.seal(Deflate.deflate(plaintext), nonce: anyNonce)
    }

    // MARK: - The vectors

    @Test func sealsDeterministicallyAsTheVectorsDo() throws {
        let vectors = try Self.vectors()
        let cipher = TestKeys.cipher(try vectors.hex("key"))
        for row in try Vectors.rows(of: vectors, "deterministic", count: 7) {
            let envelope = cipher.sealDeterministically(try row.hex("plaintext_hex"))
            #expect(envelope == (try row.hex("envelope_hex")))
            #expect(Array(envelope.prefix(12)) == (try row.hex("iv_hex")))
            #expect(ObjectID(naming: envelope, width: .hex12).bytes == (try row.bytes("id12")))
            #expect(ObjectID(naming: envelope, width: .hex32).bytes == (try row.bytes("id32")))
            #expect(try Self.plaintext(envelope, cipher) == row.hex("plaintext_hex"))
        }
    }

    @Test func sealsAndOpensFieldsAsTheVectorsDo() throws {
        let vectors = try Self.vectors()
        let cipher = TestKeys.cipher(try vectors.hex("key"))
        for row in try Vectors.rows(of: vectors, "deterministic_metadata", count: 10) {
            let (plaintext, text) = (try row.bytes("plaintext"), try row.bytes("base64"))
            #expect(cipher.sealField(plaintext) == text)
            var opened: [UInt8] = [1, 2, 3]
            try cipher.openField(text, into: &opened)
            #expect(opened == plaintext)
        }
    }

    @Test func sealsUnderAFixedNonceAsTheVectorsDo() throws {
        let vectors = try Self.vectors()
        let cipher = TestKeys.cipher(try vectors.hex("key"))
        for row in try Vectors.rows(of: vectors, "fixed_iv", count: 7) {
            let envelope = cipher.seal(try row.hex("plaintext_hex"), nonce: try vectors.hex("iv"))
            #expect(envelope == (try row.hex("envelope_hex")))
            #expect(try Self.plaintext(envelope, cipher) == row.hex("plaintext_hex"))
        }
    }

    @Test func opensOrRefusesEveryRowOfTheVectors() throws {
        for row in try Vectors.rows(of: Self.vectors(), "decrypt", count: 25) {
            let cipher = TestKeys.cipher(try row.hex("key"))
            let envelope = try row.hex("envelope_hex")
            if try row.flag("ok") {
                #expect(try Self.plaintext(envelope, cipher) == row.hex("plaintext_hex"), "\(row)")
            } else {
                #expect(throws: EnvelopeError.self, "\(row)") {
                    try Self.plaintext(envelope, cipher)
                }
            }
        }
    }

    @Test func saysWhyItRefusesARowOfTheVectors() throws {
        let reasons: [String: EnvelopeError] = [
            "v2 authentic, not zlib": .badDeflate,
            "v2 authentic, zlib stream cut short": .badDeflate,
            "v2 authentic, raw deflate without zlib header": .badDeflate,
            "v1 tag bit flipped": .notAuthentic, "v1 ciphertext bit flipped": .notAuthentic,
            "v1 iv bit flipped": .notAuthentic, "v2 tag bit flipped": .notAuthentic,
            "v2 magic bit flipped": .notAuthentic, "wrong key": .notAuthentic, "empty": .truncated,
            "only magic": .truncated, "12 bytes": .truncated, "27 bytes": .truncated,
            "magic + 12 bytes": .truncated, "magic + 13 bytes": .truncated,
            "v1 last byte missing": .notAuthentic, "v2 last byte missing": .notAuthentic,
            "v1 one byte extra": .notAuthentic,
        ]
        var refused = 0
        for row in try Vectors.rows(of: Self.vectors(), "decrypt", count: 25) {
            guard try !row.flag("ok") else { continue }
            refused += 1
            let reason = try #require(reasons[try row.text("name")])
            let (key, envelope) = (try row.hex("key"), try row.hex("envelope_hex"))
            #expect(throws: reason, "\(row)") { try Self.plaintext(envelope, TestKeys.cipher(key)) }
        }
        #expect(refused == reasons.count)
    }

    @Test func deflatesTheBlobsOfTheVectorsThatGetShorter() throws {
        for row in try Vectors.rows(of: Self.vectors(), "deflate_policy", count: 9) {
            let plaintext = try row.hex("plaintext_hex")
            #expect(plaintext.count == (try row.integer("plaintext_length")))
            #expect(Deflate.deflate(plaintext).count == (try row.integer("zlib6_length")))
            let envelope = cipher.sealBlob(
                inRoom: EnvelopeLayout.room(for: plaintext), nonce: anyNonce, deflating: true)
            let version = try #require(EnvelopeLayout(envelope)).version
            #expect("v\(version)" == (try row.text("envelope")), "\(row)")
            #expect(try Self.plaintext(envelope) == plaintext)
        }
    }

    @Test func deflatesNoBlobOfAVaultWithoutTheFeature() throws {
        let plaintext = [UInt8](repeating: 0, count: 5000)
        let envelope = cipher.sealBlob(
            inRoom: EnvelopeLayout.room(for: plaintext), nonce: anyNonce, deflating: false)
        #expect(envelope == cipher.seal(plaintext, nonce: anyNonce))
    }

    // MARK: - Damage

    private func expectRefusal(_ envelope: [UInt8], _ what: String) {
        #expect(throws: EnvelopeError.self, "\(what)") { try Self.plaintext(envelope) }
    }

    @Test(arguments: [1, 2]) func refusesEveryFlippedBit(version: Int) throws {
        let plaintext = Array(String(repeating: "hello ", count: 20).utf8)
        let envelope =
            version == 1
            ? cipher.seal(plaintext, nonce: anyNonce) : Self.deflated(plaintext, cipher)
        #expect(try Self.plaintext(envelope) == plaintext)
        for bit in 0..<8 * envelope.count {
            var broken = envelope
            broken[bit / 8] ^= 1 << (bit % 8)
            expectRefusal(broken, "bit \(bit) flipped")
        }
    }

    @Test(arguments: [1, 2]) func refusesEveryDroppedOrAddedByte(version: Int) {
        let plaintext = Array(String(repeating: "hello ", count: 20).utf8)
        let envelope =
            version == 1
            ? cipher.seal(plaintext, nonce: anyNonce) : Self.deflated(plaintext, cipher)
        for index in envelope.indices {
            var broken = envelope
            broken.remove(at: index)
            expectRefusal(broken, "byte \(index) dropped")
            var longer = envelope
            longer.insert(0, at: index)
            expectRefusal(longer, "a byte added at \(index)")
            expectRefusal(Array(envelope[..<index]), "cut to \(index) bytes")
        }
        expectRefusal(envelope + [0], "a byte added at the end")
    }

    @Test func refusesRandomBytes() {
        var numbers = SeededNumbers()
        for count in 0..<200 {
            expectRefusal(numbers.bytes(count), "seed \(numbers.seed)")
            expectRefusal(Array("\0sgz1".utf8) + numbers.bytes(count), "seed \(numbers.seed)")
        }
    }

    // MARK: - Limits

    @Test func takesAPlaintextOfExactlyTheLimit() throws {
        let plaintext = [UInt8](repeating: 1, count: 1000)
        for envelope in [cipher.seal(plaintext, nonce: anyNonce), Self.deflated(plaintext, cipher)]
        {
            #expect(try Self.plaintext(envelope, limit: 1000) == plaintext)
            #expect(throws: EnvelopeError.tooLarge(limit: 999)) {
                try Self.plaintext(envelope, limit: 999)
            }
        }
    }

    @Test func remembersThatAnEnvelopeHasOpened() throws {
        let cipher = TestKeys.cipher()
        let envelope = cipher.seal([1], nonce: anyNonce)
        var broken = envelope
        broken[0] ^= 1
        _ = try? cipher.open(broken, limit: 10)
        #expect(!cipher.hasOpened)
        _ = try cipher.open(envelope, limit: 10)
        #expect(cipher.hasOpened)
    }

    // MARK: - Fields

    @Test func refusesAFieldPast1024Characters() throws {
        // 740 bytes make 768 of envelope and 1,024 of base64; one more makes 1,028.
        let longest = [UInt8](repeating: 0x61, count: 740)
        let field = cipher.sealField(longest)
        #expect(field.count == 1024)
        var opened: [UInt8] = []
        try cipher.openField(field, into: &opened)
        #expect(opened == longest)
        let longer = cipher.sealField(longest + [0x61])
        #expect(throws: EnvelopeError.badField) { try cipher.openField(longer, into: &opened) }
    }

    @Test(arguments: [
        ("", EnvelopeError.truncated), ("AAAA", .truncated), ("****", .badField),
        ("AAA", .badField),
        ("04tCCW2A9F+Ca0Sp0TfIltJ/AiSeq4Z9ikOWMw", .badField),
        ("04tCCW2A9F+Ca0Sp0TfIltJ/AiSeq4Z9ikOWMx==", .badField),
        ("14tCCW2A9F+Ca0Sp0TfIltJ/AiSeq4Z9ikOWMw==", .notAuthentic),
    ])
    func refusesAFieldThatIsNoEnvelope(text: String, reason: EnvelopeError) {
        var opened: [UInt8] = []
        #expect(throws: reason) { try cipher.openField(Array(text.utf8), into: &opened) }
    }

    @Test func opensNoDeflatedField() {
        let field = Base64.encode(Self.deflated([UInt8](repeating: 0, count: 100), cipher))
        var opened: [UInt8] = []
        #expect(throws: EnvelopeError.notAuthentic) { try cipher.openField(field, into: &opened) }
    }

    // MARK: - Layout

    @Test func tellsThePartsOfAnEnvelopeWithoutAKey() throws {
        let plain = try #require(EnvelopeLayout([UInt8](repeating: 1, count: 30)))
        #expect(plain.version == 1 && plain.nonce == 0..<12)
        #expect(plain.ciphertext == 12..<14 && plain.tag == 14..<30)
        let magic = Array("\0sgz1".utf8)
        let deflated = try #require(EnvelopeLayout(magic + [UInt8](repeating: 1, count: 30)))
        #expect(deflated.version == 2 && deflated.nonce == 5..<17)
        #expect(deflated.ciphertext == 17..<19 && deflated.tag == 19..<35)
        #expect(EnvelopeLayout([UInt8](repeating: 1, count: 27)) == nil)
        #expect(EnvelopeLayout(magic + [UInt8](repeating: 1, count: 27))?.version == 1)
    }
}
