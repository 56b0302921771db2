import Foundation
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

/// What a store asks of a writer before anything is written.
@Suite struct WritingGateTests {
    private let new: NewStore

    init() throws { new = try NewStore() }

    /// What the gate of a writer is, or the case that it throws.
    private func gate() -> String {
        do {
            let gate = try new.open().gateForWriting()
            let features = gate.features.map { String(decoding: $0, as: UTF8.self) }
            return "\(gate.format.map { "\($0)" } ?? "none") \(features.joined(separator: ","))"
        } catch StoreError.foreignKey {
            return "foreignKey"
        } catch StoreError.needsFormat(let format) {
            return "needsFormat \(format)"
        } catch StoreError.needsClient(let version) {
            return "needsClient \(version)"
        } catch StoreError.damaged {
            return "damaged"
        } catch {
            return "\(error)"
        }
    }

    @Test func letsAnythingIntoANewStore() throws {
        #expect(gate() == "none ")
        for part in ["refs", "indexes", "keys"] {
            try FileManager.default.removeItem(atPath: new.layout.bare + "/" + part)
        }
        #expect(gate() == "none ")
    }

    @Test(arguments: [
        ("{}", "none "), ("{\"format\": 1}", "1 "), ("{\"format\": 0}", "0 "),
        ("{\"format\": 2, \"features\": [\"ids-128\", \"x\"]}", "2 ids-128,x"),
        ("{\"format\": 3}", "needsFormat 3"), ("{\"format\": \"99\"}", "needsFormat 99"),
        ("{\"min_client\": \"0.26.0\"}", "none "),
        ("{\"min_client\": \"0.26.1\"}", "needsClient 0.26.1"),
        ("{\"format\": 3, \"min_client\": \"1.0.0\"}", "needsClient 1.0.0"), ("[]", "damaged"),
    ])
    func asksWhatTheIndexSays(index: String, expected: String) throws {
        try new.seal(index, as: new.indexFile)
        #expect(gate() == expected)
    }

    @Test func refusesAnIndexThatDoesNotOpen() throws {
        try new.write([UInt8](repeating: 1, count: 50), to: new.indexFile)
        #expect(gate() == "damaged")
    }

    @Test(arguments: ["refs/ref-pid-muw-0123456789ab", "indexes/idx-pid-muw-0123456789ab"])
    func refusesAStoreOfAnotherKey(file: String) throws {
        try new.seal("{}", as: file)
        #expect(gate() == "foreignKey")
    }

    @Test func takesAStoreWithItsRefAndWithoutAnIndex() throws {
        try new.seal("{}", as: "refs/" + new.open().ids.mainRef)
        try new.seal("{}", as: "refs/ref-pid-muw-0123456789ab")
        #expect(gate() == "none ")
    }

    @Test(arguments: [0, 1, 2, 3]) func saysWhichFormatsItCanWrite(format: Int) {
        let gate = FormatGate(format: format, minimumClient: nil, features: [])
        #expect(gate.isWritable == (format < 3))
    }

    @Test(arguments: [
        ("0.26.0", true), ("10.0.1", true), ("v0.26.0", false), ("0.26", false),
        ("0.26.0-rc1", false), ("0.26.0 ", false), ("00.26.0", false), ("0.0.0", false),
        ("", false),
    ])
    func takesAVersionAsItIsStored(text: String, isOne: Bool) {
        #expect((ClientVersion(exactly: Array(text.utf8)) != nil) == isOne)
    }

    @Test(arguments: [
        ("ids-128", true), ("a", true), ("0", true), (String(repeating: "a", count: 40), true),
        (String(repeating: "a", count: 41), false), ("", false), ("-a", false), ("A", false),
        ("a b", false), ("a_b", false), ("\u{E9}", false),
    ])
    func knowsAFeature(text: String, isOne: Bool) {
        #expect(FormatGate.isFeature(Array(text.utf8)) == isOne)
    }
}
