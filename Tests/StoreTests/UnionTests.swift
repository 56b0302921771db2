import Encodings
import Foundation
import Objects
import Store
import TestSupport
import Testing

/// What an empty store and others hold together.
@Suite struct UnionTests {
    private let own: NewStore
    private let other: NewStore
    private let third: NewStore

    init() throws {
        own = try NewStore()
        other = try NewStore()
        third = try NewStore()
    }

    private func source(_ store: NewStore, _ name: String) -> StoreFiles {
        StoreFiles(store.layout, name: name)
    }

    private func union() throws -> Union {
        try Union(of: [source(other, "other"), source(third, "third")], into: own.layout)
    }

    /// Joins, and gives what was added.
    @discardableResult
    private func join() throws -> [String] {
        let union = try union()
        try union.write(runtimeFolder: nil)
        return union.additions.map(\.text)
    }

    /// Stores an object of these bytes, and gives its name.
    @discardableResult
    private func put(
        _ text: String, in stores: NewStore..., width: ObjectID.Width = .hex12
    ) throws -> String {
        let name = ObjectID(naming: Array(text.utf8), width: width).text
        for store in stores { try store.write(Array(text.utf8), to: "data/" + name) }
        return name
    }

    private func damage(_ name: String, in store: NewStore) throws {
        try store.write([1, 2, 3], to: "data/" + name)
    }

    private func bytes(_ name: String) throws -> [UInt8] { try own.bytes("data/" + name) }

    private let key = "key-rnd-imm-0123456789abcdef"
    private let sealedKey = [UInt8](repeating: 7, count: 40)

    private func inode(_ file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: own.layout.bare + "/" + file)[
            .systemFileNumber] as? Int
    }

    /// All that is in the store, with its bytes.
    private func state() throws -> [String: [UInt8]] {
        var state: [String: [UInt8]] = [:]
        for part in ["data", "refs", "indexes", "keys"] {
            for name in try own.names(part) {
                state["\(part)/\(name)"] = try own.bytes("\(part)/\(name)")
            }
        }
        return state
    }

    private func words(_ union: Union) -> [String] {
        union.damage.map { error in
            guard case .damagedCopy(let name, let source, _) = error else { return "?" }
            return "\(source) \(name.text)"
        }
    }

    // MARK: - Adding

    @Test func addsWhatTheStoreLacks() throws {
        let names = [
            try put("mine", in: own), try put("both", in: own, other),
            try put("a", in: other), try put("b", in: other, third), try put("c", in: third),
            try put("long name", in: third, width: .hex32),
        ]
        try other.write(sealedKey, to: "keys/" + key)
        #expect(try join() == [key] + names.dropFirst(2).sorted())
        #expect(try own.names("data") == names.sorted())
        #expect(try own.bytes("keys/" + key) == sealedKey)
        #expect(try bytes(names[2]) == Array("a".utf8))
        #expect(try bytes(names[5]) == Array("long name".utf8))
    }

    @Test func changesNothingAgain() throws {
        try put("a", in: other)
        try put("b", in: third)
        try join()
        let before = try state()
        #expect(try join().isEmpty)
        #expect(try state() == before)
        let same = try Union(of: [source(own, "own")], into: own.layout)
        #expect(same.additions.isEmpty && same.damage.isEmpty && same.lost.isEmpty)
    }

    @Test func doesNotDependOnTheOrderOfTheSources() throws {
        try put("a", in: other)
        try put("b", in: third)
        let sources = [source(third, "third"), source(other, "other")]
        #expect(
            try union().additions == Union(of: sources, into: own.layout).additions)
    }

    @Test func writesNothingBeforeItIsAskedTo() throws {
        try put("a", in: other)
        #expect(try union().additions.count == 1)
        #expect(try own.names("data").isEmpty)
    }

    @Test(arguments: [1, 7, 8, 9, 800]) func flushesFewAndMany(count: Int) throws {
        for number in 0..<count { try put("\(number)", in: other) }
        #expect(try join().count == count)
        #expect(try own.names("data") == other.names("data"))
    }

    @Test func makesTheFoldersThatAStoreLacks() throws {
        for part in ["data", "keys"] {
            try FileManager.default.removeItem(atPath: own.layout.bare + "/" + part)
        }
        try FileManager.default.removeItem(atPath: third.layout.bare + "/keys")
        let name = try put("a", in: other)
        try other.write(sealedKey, to: "keys/" + key)
        #expect(try join() == [key, name])
        #expect(try own.names("data") == [name] && own.names("keys") == [key])
    }

    @Test func takesNothingButObjectsAndKeys() throws {
        let name = try put("a", in: other)
        for file in [
            "refs/ref-pid-muw-0123456789ab", "indexes/idx-pid-muw-0123456789ab",
            "data/" + name.dropLast(), "data/" + name.uppercased(), "data/.x.01234567.sgtmp",
            "data/" + key, "keys/" + name, "keys/key-rnd-imm-xyz", "keys/key-rnd-imm-0123",
        ] {
            try other.write(sealedKey, to: file)
        }
        #expect(try join() == [name])
        #expect(try Array(state().keys) == ["data/" + name])
    }

    // MARK: - Damage

    @Test func takesTheSoundCopyOfTwo() throws {
        let name = try put("a", in: other, third)
        try damage(name, in: other)
        let union = try union()
        #expect(words(union) == ["other " + name] && union.lost.isEmpty)
        try union.write(runtimeFolder: nil)
        #expect(try bytes(name) == Array("a".utf8))
    }

    @Test func replacesADamagedCopyOfItsOwn() throws {
        let name = try put("a", in: own, other)
        try damage(name, in: own)
        let union = try union()
        #expect(words(union) == [own.layout.bare + " " + name])
        #expect(union.additions.map(\.text) == [name] && union.lost.isEmpty)
        #expect(try bytes(name) == [1, 2, 3])
        try union.write(runtimeFolder: nil)
        #expect(try bytes(name) == Array("a".utf8))
        #expect(try own.names("data") == [name])
    }

    @Test func keepsItsOwnSoundCopy() throws {
        let name = try put("a", in: own, other, third)
        try damage(name, in: other)
        let before = try inode("data/" + name)
        #expect(try join().isEmpty)
        #expect(try inode("data/" + name) == before && before != nil)
    }

    @Test func addsTheRestWhereNoCopyIsSound() throws {
        let (lost, sound) = (try put("a", in: own, other, third), try put("b", in: third))
        for store in [own, other, third] { try damage(lost, in: store) }
        let union = try union()
        #expect(union.lost.map(\.text) == [lost] && union.damage.count == 3)
        try union.write(runtimeFolder: nil)
        #expect(union.additions.map(\.text) == [sound])
        #expect(try bytes(lost) == [1, 2, 3])
        #expect(try bytes(sound) == Array("b".utf8))
    }

    @Test(arguments: ["link", "empty", "cut"])
    func seesEveryDamage(kind: String) throws {
        let name = try put("a text of some length", in: own, other)
        let path = own.layout.objects + "/" + name
        switch kind {
        case "link":
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: other.layout.objects + "/" + name)
        case "empty": try own.write([], to: "data/" + name)
        default: try own.write(Array("a text of some lengt".utf8), to: "data/" + name)
        }
        #expect(try join() == [name])
        #expect(try bytes(name) == Array("a text of some length".utf8))
        let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
        #expect(type as? FileAttributeType == .typeRegular)
    }

    @Test func doesNotReplaceAFolder() throws {
        let name = try put("a", in: other)
        try FileManager.default.createDirectory(
            atPath: own.layout.objects + "/" + name, withIntermediateDirectories: false)
        #expect(try union().damage.count == 1)
        #expect(throws: (any Error).self) { try join() }
    }

    @Test func takesAKeyThatIsTooShortForDamaged() throws {
        try own.write([UInt8](repeating: 7, count: 27), to: "keys/" + key)
        try other.write(sealedKey, to: "keys/" + key)
        let union = try union()
        #expect(words(union) == [own.layout.bare + " " + key])
        try union.write(runtimeFolder: nil)
        #expect(try own.bytes("keys/" + key) == sealedKey)
    }

    // MARK: - Two that differ

    /// What error says that these two differ; nil for any other outcome.
    private func difference(_ body: () throws -> Void) -> [String]? {
        do {
            try body()
            return nil
        } catch UnionError.copiesDiffer(let name, let one, let other) {
            return [name.text, one, other]
        } catch {
            return nil
        }
    }

    @Test func refusesTwoKeysOfOneName() throws {
        try put("a", in: other)
        try own.write(sealedKey, to: "keys/" + key)
        try third.write(sealedKey + [0], to: "keys/" + key)
        let before = try state()
        #expect(difference { try join() } == [key, own.layout.bare, "third"])
        #expect(try state() == before)
    }

    @Test func refusesTwoKeysThatTheStoreLacks() throws {
        try other.write(sealedKey, to: "keys/" + key)
        try third.write(sealedKey + [0], to: "keys/" + key)
        #expect(difference { try join() } == [key, "other", "third"])
        #expect(try state().isEmpty)
    }

    /// Two texts whose SHA-256 begin with the same 48 bits, found by trying 45 million.
    @Test func refusesTwoSoundObjectsOfOneName() throws {
        let texts = Self.numbers.map { "two envelopes with one name \($0)" }
        let name = try put(texts[0], in: own)
        #expect(try put(texts[1], in: other) == name)
        try put("a", in: third)
        let before = try state()
        #expect(difference { try join() } == [name, own.layout.bare, "other"])
        #expect(try state() == before)
        // At their full width they are two.
        let long = try texts.map { try put($0, in: other, width: .hex32) }
        #expect(long[0] != long[1])
    }

    private static let numbers = ["000010317738", "000025053630"]
}
