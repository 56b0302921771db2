import Cryptography
import Encodings
import Locks
import SecretMemory
import TestSupport
import Testing

@Suite struct RecoveryCodeTests {
    private static let text = "VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT"
    private static let secret = Hex.decode(Array("deadbeef00112233445566778899aabb".utf8)) ?? []

    private static func read(_ text: String) throws(RecoveryCodeError) -> [UInt8] {
        TestKeys.bytes(try RecoveryCode(TestKeys.secret(text)).secret)
    }

    private static func error(_ text: String) -> RecoveryCodeError? {
        do throws(RecoveryCodeError) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    private static func replaced(_ place: Int, by character: Character) -> String {
        var characters = text.filter { $0 != "-" }
        let index = characters.index(characters.startIndex, offsetBy: place)
        characters.replaceSubrange(index...index, with: String(character))
        return characters
    }

    @Test func writesAndReadsTheVectors() throws {
        for row in try Vectors.rows("vault-file", "recovery_codes", count: 4) {
            let code = RecoveryCode(secret: TestKeys.secret(try row.hex("secret")))
            #expect(TestKeys.bytes(code.text) == (try row.bytes("code")))
            #expect(try Self.read(row.text("code")) == (try row.hex("secret")))
        }
    }

    @Test func aNewCodeIsRead() throws {
        let code = RecoveryCode(random: .system)
        #expect(code.text.count == 34)
        #expect(TestKeys.bytes(try RecoveryCode(code.text).secret) == TestKeys.bytes(code.secret))
    }

    @Test(arguments: [
        "vtpv-xvr0-24h3-6h2n-csvr-h6da-qcnt", "VTPVXVR024H36H2NCSVRH6DAQC",
        "\u{FEFF}VTPV\u{2010}XVRO\u{2014}24H3\u{A0}6H2N\u{AD}CSVR\u{200B}H6DA\u{2212}QCNT\r\n",
        "VTPV\tXVRo\n24H3\r\n6H2N CSVR H6DA QCNT\n",
    ])
    func readsWhatPeopleType(_ text: String) throws {
        #expect(try Self.read(text) == Self.secret)
    }

    @Test func oneAndZeroAreReadInTheirLikenesses() throws {
        #expect(try Self.read("ooog-4or4-om3o-e2o9-i85g-r38e-lw9d") == Array(0..<16))
    }

    @Test func anImpossibleCharacterHasItsPlace() {
        #expect(Self.error(Self.replaced(6, by: "U")) == .badCharacter(position: 7))
        #expect(Self.error(Self.replaced(6, by: "é")) == .badCharacter(position: 7))
        #expect(Self.error(Self.replaced(27, by: "!")) == .badCharacter(position: 28))
        // The last of the 26 has two bits that are always zero.
        #expect(Self.error(Self.replaced(25, by: "D")) == .badCharacter(position: 26))
        #expect(Self.error("U") == .badCharacter(position: 1))
    }

    @Test func aWrongLengthIsCounted() {
        #expect(Self.error("") == .wrongLength(0))
        #expect(Self.error(Self.text + "0") == .wrongLength(29))
        #expect(Self.error(String(Self.text.dropLast())) == .wrongLength(27))
    }

    @Test func wrongCheckCharactersAreNoticed() {
        #expect(Self.error(Self.replaced(27, by: "X")) == .wrongCheckCharacters)
        #expect(Self.error(Self.replaced(0, by: "X")) == .wrongCheckCharacters)
    }

    // MARK: - Repair

    private static func repair(_ typed: String) -> RecoveryCodeFault?? {
        let found = TypedCode(TestKeys.secret(typed)).repaired { code in
            TestKeys.bytes(code.secret) == secret
        }
        return found.map(\.fault)
    }

    private static let characters = Array(text.filter { $0 != "-" })

    @Test func nothingIsWrongWithARightCode() {
        #expect(Self.repair(Self.text) == .some(nil))
        #expect(Self.repair(String(Self.characters.prefix(26))) == .some(nil))
    }

    @Test(arguments: 0..<26) func everyWrongCharacterIsFound(_ place: Int) {
        for other: Character in ["0", "8", "Z", "U"] where other != Self.characters[place] {
            let fault = RecoveryCodeFault.wrong(
                position: place + 1, rightly: Self.characters[place].unicodeScalars.first ?? "?")
            #expect(Self.repair(Self.replaced(place, by: other)) == .some(fault))
        }
    }

    @Test(arguments: 0..<27) func everySwapIsFound(_ place: Int) {
        var typed = Self.characters
        typed.swapAt(place, place + 1)
        guard typed != Self.characters else { return }
        let found = Self.repair(String(typed))
        let expected: RecoveryCodeFault =
            place < 26 ? .swapped(position: place + 1) : .checkCharacters
        #expect(found == .some(expected))
    }

    @Test(arguments: [26, 28]) func everyMissingCharacterIsFound(_ count: Int) {
        for place in 0..<26 {
            var typed = Array(Self.characters.prefix(count))
            let scalar = typed.remove(at: place).unicodeScalars.first ?? "?"
            guard case .missing(let position, let rightly)?? = Self.repair(String(typed)) else {
                Issue.record("\(place)")
                continue
            }
            #expect(rightly == scalar)
            #expect(Self.characters[position - 1] == Self.characters[place])
        }
    }

    @Test(arguments: [26, 28]) func everyDoubledCharacterIsFound(_ count: Int) {
        for place in 0..<26 {
            var typed = Array(Self.characters.prefix(count))
            typed.insert(typed[place], at: place)
            let found = Self.repair(String(typed))
            if place == 25 {
                #expect(found == .some(.checkCharacters))
            } else {
                guard case .tooMany?? = found else {
                    Issue.record("\(place)")
                    continue
                }
            }
        }
    }

    @Test func theCheckCharactersMayBeWrong() {
        #expect(Self.repair(Self.replaced(26, by: "U")) == .some(.checkCharacters))
        #expect(Self.repair(String(Self.characters.prefix(27))) == .some(.checkCharacters))
    }

    @Test func twoFaultsAreNotMended() {
        var typed = Self.characters
        typed[3] = "0"
        typed[20] = "0"
        #expect(Self.repair(String(typed)) == .none)
        #expect(Self.repair("") == .none)
        #expect(Self.repair("U") == .none)
        #expect(Self.repair(String(repeating: "0", count: 500)) == .none)
    }
}
