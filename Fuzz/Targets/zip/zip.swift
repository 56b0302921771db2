// The input is a vault file. It is read strictly, from a file in memory, and what is sound of it is brought out into a
// folder in memory.
import CLinux
import FileSystem
import Glibc
import Harness
import VaultFile

/// Where stores are made and given up again.
private let folder: String = {
    let path = "/dev/shm/fuzz-zip-\(getpid())"
    atexit { rmdir("/dev/shm/fuzz-zip-\(getpid())") }
    return path
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let memory = clinux_memory_file("vault")
    guard memory >= 0, write(memory, input, input.count) == input.count else {
        fatalError("no file in memory")
    }
    defer { close(memory) }
    do {
        let stored = try StoredFile("/proc/self/fd/\(memory)")
        let isWhole = try readStrictly(stored)
        try bringOut(stored, isWhole: isWhole)
    } catch {
        fatalError("broken: an error that is not declared: \(error)")
    }
    return 0
}

/// Whether everything in the file is what it says.
private func readStrictly(_ stored: StoredFile) throws -> Bool {
    do {
        try check(StoredZip(stored), size: stored.size)
    } catch is ZipDamage {
        expect((try? VaultFile(stored)) == nil, "a damaged container is no vault file")
        return false
    }
    do {
        let file = try VaultFile(stored)
        for member in file.members {
            expect(file.entry(member.name) == member.entry, "every member is found")
        }
        try file.checkWholeness()
        return true
    } catch is VaultFileError {
        return false
    }
}

/// The members fill the file from its beginning, each once, in order.
private func check(_ zip: StoredZip, size: Int) throws {
    var next = 0
    var last: [UInt8] = []
    for (index, entry) in zip.entries.enumerated() {
        expect(entry.offset == next && entry.end <= size, "members stand one behind the other")
        next = entry.end
        guard index > 0 else { continue }
        guard let name = MemberName(entry.name) else { fatalError("broken: a name of no store") }
        expect(last.lexicographicallyPrecedes(entry.name), "names ascend")
        last = entry.name
        plantFault(on: Array(name.parts.file.utf8))
    }
    var lent = 0
    do {
        try zip.forEach { entry, bytes in
            expect(try zip.read(entry).elementsEqual(bytes), "both ways to read say the same")
            lent += 1
        }
        expect(lent == zip.entries.count, "every member is lent")
    } catch is ZipDamage {}
}

private func bringOut(_ stored: StoredFile, isWhole: Bool) throws {
    let target = try NewBareFolder(in: folder, runtimeFolder: nil)
    var salvage = Salvage(stored)
    try salvage.run(into: target)
    let damaged = salvage.damaged
    expect(salvage.sound.isDisjoint(with: damaged), "what is sound is not damaged")
    expect(!isWhole || damaged.isEmpty, "all of a whole file is sound")
    for name in salvage.sound { plantFault(on: Array(name.parts.file.utf8)) }
}
