import Foundation
import Objects
import Store
import TestSupport
import Testing

/// What happens between looking and writing.
@Suite struct UnionRaceTests {
    private let own: NewStore
    private let other: NewStore
    private let text = Array("an object".utf8)
    private let key = "key-rnd-imm-0123456789abcdef"
    private let sealedKey = [UInt8](repeating: 7, count: 40)

    init() throws {
        own = try NewStore()
        other = try NewStore()
    }

    private var name: String { ObjectID(naming: text, width: .hex12).text }

    private func union() throws -> Union {
        try Union(of: [StoreFiles(other.layout, name: "other")], into: own.layout)
    }

    private func isChanged(_ source: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch UnionError.changed(_, source: let found) {
            return found == source
        } catch {
            return false
        }
    }

    @Test func copiesNothingThatWasDamagedMeanwhile() throws {
        try other.write(text, to: "data/" + name)
        let union = try union()
        try other.write([1, 2, 3], to: "data/" + name)
        #expect(isChanged("other") { try union.write(runtimeFolder: nil) })
        #expect(try own.names("data").isEmpty)
    }

    @Test func copiesNoKeyThatBecameAnother() throws {
        try other.write(sealedKey, to: "keys/" + key)
        let union = try union()
        try other.write(sealedKey + [0], to: "keys/" + key)
        #expect(isChanged("other") { try union.write(runtimeFolder: nil) })
        #expect(try own.names("keys").isEmpty)
    }

    @Test func takesAnEqualCopyThatCameMeanwhile() throws {
        try other.write(text, to: "data/" + name)
        let union = try union()
        try own.write(text, to: "data/" + name)
        let file = own.layout.objects + "/" + name
        let before = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber]
        try union.write(runtimeFolder: nil)
        let after = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber]
        #expect(before as? Int == after as? Int && before != nil)
    }

    @Test func replacesADamagedCopyThatCameMeanwhile() throws {
        try other.write(text, to: "data/" + name)
        let union = try union()
        try own.write([1, 2, 3], to: "data/" + name)
        try union.write(runtimeFolder: nil)
        #expect(try own.bytes("data/" + name) == text)
    }

    @Test func keepsAnotherKeyThatCameMeanwhile() throws {
        try other.write(sealedKey, to: "keys/" + key)
        let union = try union()
        try own.write(sealedKey + [0], to: "keys/" + key)
        #expect(isChanged(own.layout.bare) { try union.write(runtimeFolder: nil) })
        #expect(try own.bytes("keys/" + key) == sealedKey + [0])
    }

    @Test func keepsAKeyThatWasTornAndIsWholeNow() throws {
        try own.write([7], to: "keys/" + key)
        try other.write(sealedKey, to: "keys/" + key)
        let union = try union()
        #expect(union.damage.count == 1)
        try own.write(sealedKey + [0], to: "keys/" + key)
        #expect(isChanged(own.layout.bare) { try union.write(runtimeFolder: nil) })
        #expect(try own.bytes("keys/" + key) == sealedKey + [0])
    }

    @Test func leavesNoUnfinishedFile() throws {
        for number in 0..<12 {
            let text = Array("object \(number)".utf8)
            try other.write(
                text, to: "data/" + ObjectID(naming: text, width: .hex32).text)
        }
        let union = try union()
        let last = try #require(union.additions.last)
        try other.write([1], to: "data/" + last.text)
        #expect(isChanged("other") { try union.write(runtimeFolder: nil) })
        #expect(try own.names("data").isEmpty)
    }
}
