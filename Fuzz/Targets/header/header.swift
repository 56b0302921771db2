// The input is a vault file's header; one that is not canonical is made so, and then read as a header all the same.
import Encodings
import Harness
import Locks
import VaultFile

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    check(input)
    if let value = answer({ try JSONReader.read(input) }), CanonicalJSON.isUsable(value) {
        let canonical = CanonicalJSON.encode(value)
        if canonical != input { check(canonical) }
    }
    return 0
}

private func check(_ input: [UInt8]) {
    let header: VaultHeader
    do throws(HeaderError) {
        header = try VaultHeader(input)
    } catch {
        return
    }
    expect(
        header.bytes == input && CanonicalJSON.encode(header.document) == input,
        "a header is the canonical form of itself")
    expect(header.serial >= 1 && header.requires.count <= 64, "numbers have their bounds")
    expect(header.code.count == 64 && header.locksCode.count == 64, "codes are digits")
    expect(
        VaultHeader.joinedUnknownMembers([header, header]).count == header.unknownMembers.count,
        "what is unknown is kept")
    plantFault(on: header.writtenBy)
    do throws(HeaderError) {
        try header.checkForm()
    } catch {
        return
    }
    let list = header.lockList
    expect(
        LockList(locks: list.locks.reversed(), removed: list.removed.reversed()) == list,
        "lists that have their form are in order")
    expect(
        LockJoin([list, list], remembered: list).list == list,
        "a list joined with itself is itself")
    for lock in list.locks {
        expect(lock.hasForm && list.lock(lock.id) == lock, "a lock is found by its id")
        expect(!list.removed.contains(lock.id), "a removed lock is not there")
    }
}
