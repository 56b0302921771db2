import CommandInterface
import FileSystem
import VaultFile

/// Writes the store of a vault file, every member checked on the way.
func unpack(
    _ vault: VaultFile, into folder: String, isVerified: Bool, _ call: Invocation
) throws {
    let target = try NewBareFolder(
        in: folder, runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
    if !isVerified { try vault.checkWholeness() }
    try vault.forEachMember { name, bytes, _ in try target.add(name, bytes) }
    try target.finish()
}

/// Writes what is sound of a damaged file, and names what is not.
func salvage(_ path: String, into folder: String, _ call: Invocation) throws -> ExitStatus {
    let file = try StoredFile(path)
    let target = try NewBareFolder(
        in: folder, runtimeFolder: call.environment("XDG_RUNTIME_DIR"))
    var damage: (any Reportable)?
    do {
        try VaultFile(file).checkWholeness()
    } catch let error as VaultFileError {
        damage = error
    }
    var salvage = Salvage(file)
    try salvage.run(into: target)
    guard !salvage.sound.isEmpty else {
        throw damage ?? SalvageError.nothingSound(path: path)
    }
    try target.finish()
    if let damage { call.warn(Report(damage.report.message, status: .damaged)) }
    for name in salvage.damaged { call.warn(SalvageError.notSound(name).report) }
    // The commit that a lost ref held leads to the history again.
    for head in salvage.lostHeads() { call.warn(SalvageError.lostHead(head).report) }
    return damage == nil && salvage.damaged.isEmpty ? .success : .damaged
}

/// What is said of a file that was salvaged.
enum SalvageError: Error {
    case nothingSound(path: String)
    case notSound(MemberName)
    case lostHead(VaultHeader.Head)
}
