import Cryptography
import Foundation
import Glibc
import Objects
import Store
import TestSupport
import Testing
import VaultKeys

@Suite struct RefTransactionTests {
    private let new: NewStore

    init() throws { new = try NewStore() }

    private static let refs = (0..<3).map { "ref-pid-muw-00000000000\($0)" }
    private static let ids = (0..<4).map { ObjectID(naming: [UInt8($0)], width: .hex12) }

    private func update(
        _ ref: Int, _ expected: Int?, _ target: Int?
    ) -> RefTransaction.Update {
        .init(
            ref: Self.refs[ref], expected: expected.map { .head(Self.ids[$0]) } ?? .nothing,
            new: target.map { Self.ids[$0] })
    }

    private func move(_ updates: RefTransaction.Update...) throws {
        // The refs of this store have names that no key gives, so its own ref shows that the key fits.
        let transaction = RefTransaction(try new.hold())
        try transaction.prepare(updates)
        try transaction.commit()
    }

    /// What each ref holds: the number of a commit, `-` for none, `.` where it is not there.
    private func heads() throws -> String {
        let store = try new.open()
        return try Self.refs.map { ref in
            switch try store.refs.read(ref) {
            case .absent: "."
            case .empty: "-"
            case .head(let id): Self.ids.firstIndex(of: id).map { "\($0)" } ?? "?"
            }
        }.joined()
    }

    private func failure(_ body: () throws -> Void) -> String {
        func number(_ id: ObjectID?) -> String {
            id.flatMap { Self.ids.firstIndex(of: $0) }.map { "\($0)" } ?? "nothing"
        }
        do {
            try body()
            return "none"
        } catch StoreError.refMoved(let ref, let expected, let found) {
            return "\(ref.last ?? "?"): \(number(expected)), found \(number(found))"
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Moving

    @Test func movesARefFromNothingAndFromItsHead() throws {
        try openWithMainRef()
        try move(update(0, nil, 1))
        #expect(try heads() == "1..")
        try move(update(0, 1, 2))
        #expect(try heads() == "2..")
        #expect(try new.text("refs/" + Self.refs[0]) == "{\"commit_id\": \"\(Self.ids[2].text)\"}")
        #expect(try new.names("refs").count == 2)
    }

    @Test func movesAnEmptyRefAsOneThatIsNotThere() throws {
        try openWithMainRef()
        try new.seal("{\"commit_id\": null}", as: "refs/" + Self.refs[0])
        #expect(try heads() == "-..")
        try move(update(0, nil, 1))
        #expect(try heads() == "1..")
    }

    @Test func movesSeveralRefsTogether() throws {
        try openWithMainRef()
        try move(update(0, nil, 1), update(1, nil, 2), update(2, nil, 3))
        #expect(try heads() == "123")
    }

    @Test func makesTheFolderThatAStoreLacks() throws {
        try FileManager.default.removeItem(atPath: new.layout.refs)
        let transaction = RefTransaction(try new.hold())
        try transaction.prepare([update(0, nil, 1)])
        try transaction.commit()
        #expect(try new.names("refs") == [Self.refs[0]])
    }

    // MARK: - Refusals

    @Test func refusesARefThatHoldsSomethingElse() throws {
        try openWithMainRef()
        try move(update(0, nil, 1))
        #expect(failure { try move(update(0, nil, 2)) } == "0: nothing, found 1")
        #expect(failure { try move(update(0, 2, 3)) } == "0: 2, found 1")
        #expect(failure { try move(update(1, 1, 2)) } == "1: 1, found nothing")
        #expect(try heads() == "1..")
    }

    @Test func movesAllOrNone() throws {
        try openWithMainRef()
        try move(update(0, nil, 0), update(1, nil, 0), update(2, nil, 0))
        #expect(
            failure { try move(update(0, 0, 1), update(1, 0, 1), update(2, 3, 1)) }
                == "2: 3, found 0")
        #expect(try heads() == "000")
        #expect(try new.names("refs").count == 4)
    }

    @Test func checksARefThatIsNotToMove() throws {
        try openWithMainRef()
        try move(update(0, nil, 0))
        let before = try new.bytes("refs/" + Self.refs[0])
        try move(update(0, 0, nil), update(1, nil, nil))
        #expect(try new.bytes("refs/" + Self.refs[0]) == before)
        #expect(failure { try move(update(1, nil, 2), update(0, 1, nil)) } == "0: 1, found 0")
        #expect(try heads() == "0..")
    }

    @Test func writesNoRefThatHoldsTheCommitAlready() throws {
        try openWithMainRef()
        try move(update(0, nil, 0))
        let before = try new.bytes("refs/" + Self.refs[0])
        try move(update(0, 0, 0), update(1, nil, 1))
        #expect(try new.bytes("refs/" + Self.refs[0]) == before)
        #expect(try heads() == "01.")
    }

    @Test func movesNothingBeforeItIsCommitted() throws {
        try openWithMainRef()
        do {
            let transaction = RefTransaction(try new.hold())
            try transaction.prepare([update(0, nil, 1)])
            #expect(try heads() == "...")
        }
        #expect(try heads() == "...")
        #expect(try new.names("refs").count == 1)
    }

    @Test func looksAgainRightBeforeItMoves() throws {
        try openWithMainRef()
        let transaction = RefTransaction(try new.hold())
        try transaction.prepare([update(0, nil, 1), update(1, nil, 1)])
        // A writer without a hold comes in between.
        try new.seal("{\"commit_id\": \"\(Self.ids[3].text)\"}", as: "refs/" + Self.refs[1])
        #expect(failure { try transaction.commit() } == "1: nothing, found 3")
        #expect(try heads() == ".3.")
    }

    @Test func leavesNothingWhereANewFileCannotBeMade() throws {
        try openWithMainRef()
        // A name that is longer than a file's can be.
        let long = RefTransaction.Update(
            ref: String(repeating: "r", count: 300), expected: .nothing, new: Self.ids[1])
        #expect(failure { try move(update(2, nil, 1), long, update(0, nil, 1)) } != "none")
        #expect(try heads() == "...")
        #expect(try new.names("refs").count == 1)
    }

    @Test func movesInTheOrderItWasAsked() throws {
        try openWithMainRef()
        try move(update(1, nil, 0))
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(watch) }
        try #require(inotify_add_watch(watch, new.layout.refs, UInt32(IN_MOVED_TO)) >= 0)
        try move(update(2, nil, 1), update(0, nil, 1), update(1, 0, 1))
        var events = [UInt8](repeating: 0, count: 4096)
        let count = read(watch, &events, events.count)
        // Of each event 16 bytes, of which the last four say how long the name is that follows.
        var names: [String] = []
        var place = 0
        while place < count {
            let length = events.withUnsafeBytes {
                Int($0.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
            }
            let name = events[(place + 16)..<(place + 16 + length)].prefix { $0 != 0 }
            names.append(String(decoding: name, as: UTF8.self))
            place += 16 + length
        }
        #expect(names == [Self.refs[2], Self.refs[0], Self.refs[1]])
    }

    @Test func putsBackTheRefsThatHadMovedWhereOneCannotMove() throws {
        try openWithMainRef()
        try move(update(0, nil, 0))
        let before = try new.bytes("refs/" + Self.refs[0])
        do {
            let transaction = RefTransaction(try new.hold())
            try transaction.prepare([update(0, 0, 1), update(1, nil, 1), update(2, nil, 1)])
            let third = try new.names("refs").filter { $0.hasPrefix("." + Self.refs[2]) }
            try #require(third.count == 1)
            try FileManager.default.removeItem(atPath: new.layout.refs + "/" + third[0])
            #expect(failure { try transaction.commit() } != "none")
            #expect(try heads() == "0..")
        }
        #expect(try new.bytes("refs/" + Self.refs[0]) == before)
        #expect(try new.names("refs").count == 2)
    }

    /// Makes the ref that the key names, so that the store is one of this key.
    private func openWithMainRef() throws {
        try new.seal("{}", as: "refs/" + new.open().ids.mainRef)
    }
}

@Suite struct StoreHoldTests {
    private let new: NewStore

    init() throws { new = try NewStore() }

    @Test func keepsOtherProgramsOut() throws {
        func isFree(patience: Int) throws -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["flock", "-w", "\(patience)", new.layout.bare, "true"]
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
        var hold: StoreHold? = try new.hold()
        #expect(try !isFree(patience: 0))
        withExtendedLifetime(hold) {}
        hold = nil
        #expect(try isFree(patience: 10))
    }

    @Test func looksAtTheIndexAnewOnceItHolds() throws {
        let store = try new.open()
        #expect(try store.index() == nil)
        try new.seal("{\"format\": 2}", as: new.indexFile)
        #expect(try store.index() == nil)
        let hold = try StoreHold(on: store, random: .system, runtimeFolder: nil)
        #expect(try store.index()?.gate.format == 2)
        withExtendedLifetime(hold) {}
    }

    @Test func holdsNoStoreThatItMayNotWrite() throws {
        try new.seal("{\"format\": 3}", as: new.indexFile)
        #expect(throws: StoreError.self) { try new.hold() }
        try new.seal("{\"format\": 2}", as: new.indexFile)
        _ = try new.hold()
    }

    @Test func clearsAwayWhatAKilledWriterLeft() throws {
        for name in [".ref-pid-muw-000000000000.01234567.sgtmp", "kept", ".kept"] {
            try new.write([1], to: "refs/" + name)
        }
        let transaction = RefTransaction(try new.hold())
        let id = ObjectID(naming: [1], width: .hex12)
        let ref = try new.open().ids.mainRef
        try transaction.prepare([.init(ref: ref, expected: .nothing, new: id)])
        try transaction.commit()
        #expect(try new.names("refs") == [".kept", "kept", ref].sorted())
    }
}
