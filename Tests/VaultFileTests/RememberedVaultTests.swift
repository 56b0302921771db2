import Encodings
import Locks
import TestSupport
import Testing
import VaultFile
import VaultKeys

/// What a device knows of a vault, set against the file that it finds.
@Suite struct RememberedVaultTests {
    private let vault: PackedVault
    private let owner = PackedVault.owner
    private let key = PackedVault.readKey
    private let one = DrawnLock.lock(1)
    private let two = DrawnLock.lock(2)

    init() throws { vault = try PackedVault() }

    private func remember(
        serial: Int = 7, _ list: LockList = .none, fingerprint: [UInt8]? = nil
    ) throws -> RememberedVault {
        RememberedVault(
            header: try vault.file(vault.newHeader(serial: serial, list: list)).header,
            fingerprint: fingerprint ?? key.fingerprint())
    }

    private func file(serial: Int = 7, _ list: LockList = .none) throws -> VaultFile {
        try vault.file(vault.newHeader(serial: serial, list: list))
    }

    private func alteration(
        _ file: VaultFile, _ known: RememberedVault, owner: OwnerKey? = nil
    ) throws -> VaultFileError.Alteration? {
        do {
            try file.verify(key, owner: owner, remembered: known)
            return nil
        } catch VaultFileError.altered(_, let alteration) {
            return alteration
        }
    }

    // MARK: - Comparing

    @Test func knowsTheSameFileAgain() throws {
        let list = DrawnLock.list([one], removed: [2])
        let (file, known) = (try file(list), try remember(list))
        #expect(try alteration(file, known) == nil)
        // The list is the one known: no owner's key is needed to prove it.
        #expect(try file.verify(key, owner: nil, remembered: known).locksAreProven)
        let (join, isPassedOver) = known.joined(with: file.header, owner: nil)
        #expect(join.list == list && !isPassedOver && !join.keptRemoved)
    }

    @Test func refusesAnotherVaultOfTheSameID() throws {
        var other = key.fingerprint()
        other[31] ^= 1
        #expect(try alteration(file(), remember(fingerprint: other)) == .fingerprint)
    }

    @Test func boundsTheJumpOfTheSerial() throws {
        let known = try remember(serial: 10)
        let jump = RememberedVault.largestJump
        #expect(jump == 1 << 32)
        #expect(try alteration(file(serial: 10 + jump), known) == nil)
        #expect(try alteration(file(serial: 11 + jump), known) == .serial)
        #expect(try alteration(file(serial: (1 << 53) - 1), known) == .serial)
        // An older file is no alteration of its own.
        #expect(try alteration(file(serial: 1), known) == nil)
        #expect(try alteration(file(serial: 1), remember(serial: (1 << 53) - 1)) == nil)
    }

    @Test func tellsALockThatContradicts() throws {
        let known = try remember(DrawnLock.list([one, two]))
        let changed = DrawnLock.list([DrawnLock.lock(1, sealed: "11"), two])
        #expect(known.contradicts(changed, id: DrawnLock.name(1)))
        #expect(!known.contradicts(changed, id: DrawnLock.name(2)))
        #expect(!known.contradicts(changed, id: DrawnLock.name(3)))
        #expect(!known.contradicts(.none, id: DrawnLock.name(1)))
    }

    // MARK: - Joining

    @Test func aReaderThatTakesTheLocksAwayIsPassedOver() throws {
        let list = DrawnLock.list([one, two])
        let known = try remember(list)
        let forged = try vault.forged(vault.newHeader(list: list)) { document in
            document.set("locks", .array([]))
            document.set("removed_locks", .array([.string(one.id), .string(two.id)]))
        }
        for owner in [nil, owner] {
            let (join, isPassedOver) = known.joined(with: forged.header, owner: owner)
            #expect(join.list == list)
            #expect(isPassedOver)
        }
        #expect(try alteration(forged, known, owner: owner) == .locks)
    }

    @Test func anOlderFileBringsNoLockBack() throws {
        let known = try remember(serial: 8, DrawnLock.list([two], removed: [1]))
        let old = try file(DrawnLock.list([one, two]))
        #expect(try alteration(old, known, owner: owner) == nil)
        let (join, isPassedOver) = known.joined(with: old.header, owner: owner)
        #expect(join.list == DrawnLock.list([two], removed: [1]))
        #expect(!isPassedOver)
    }

    @Test func anOwnersNewLockIsTaken() throws {
        let known = try remember(DrawnLock.list([one]))
        let file = try file(serial: 8, DrawnLock.list([two], removed: [1]))
        let (join, isPassedOver) = known.joined(with: file.header, owner: owner)
        #expect(join.list == DrawnLock.list([two], removed: [1]))
        #expect(!isPassedOver)
        // Without the owner's key nobody can tell that it was the owner.
        let (kept, isPassed) = known.joined(with: file.header, owner: nil)
        #expect(kept.list == DrawnLock.list([one]) && isPassed)
    }

    @Test func keepsTheKnownOneOfAnAlteredLock() throws {
        let known = try remember(DrawnLock.list([DrawnLock.lock(1, sealed: "22")]))
        let file = try file(DrawnLock.list([DrawnLock.lock(1, sealed: "11")]))
        let (join, _) = known.joined(with: file.header, owner: owner)
        #expect(join.list.locks == [DrawnLock.lock(1, sealed: "22")])
        #expect(join.altered == [DrawnLock.name(1)])
    }

    @Test func aCodeOfAnotherListProvesNothing() throws {
        // The code of an older list under the present one.
        let old = DrawnLock.list([one])
        let forged = try vault.forged(vault.newHeader(list: old)) { document in
            document.set("locks", .array([two.document]))
        }
        let known = try remember(old)
        #expect(known.joined(with: forged.header, owner: owner).isPassedOver)
    }
}
