import CommandInterface
import Encodings
import Locks
import Objects
import VaultFile

/// Prints the one thing that was asked of the file.
func show(_ vault: VaultFile, isVerified: Bool, _ call: Invocation) {
    let output = call.output
    if call[list] {
        for entry in vault.zip.entries { showMember(entry, output, json: call[json]) }
    } else if call[heads] {
        for head in vault.header.heads { showHead(head, output, json: call[json]) }
    } else if call[locks] {
        for lock in vault.header.lockList.locks {
            output.write(lock.line(vaultID: vault.header.vaultID))
        }
    } else if call[json] {
        output.write(vault.header.bytes)
    } else {
        showHeader(vault.header, output)
        output.line(isVerified ? "verified" : "not verified")
    }
}

private func showMember(_ entry: ZipEntry, _ output: Output, json: Bool) {
    guard json else {
        output.line("\(entry.size) \(String(decoding: entry.name, as: UTF8.self))")
        return
    }
    output.write(
        JSONWriter.write(
            .object([.init("name", .string(entry.name)), .init("size", .integer(entry.size))]),
            .compact))
    output.write(0x0A)
}

private func showHead(_ head: VaultHeader.Head, _ output: Output, json: Bool) {
    guard json else {
        output.line("\(head.ref) \(head.commit?.text ?? "-")")
        return
    }
    output.write(
        JSONWriter.write(
            .object([
                .init("ref", .text(head.ref)),
                .init("commit", head.commit.map { .string($0.bytes) } ?? .null),
            ]), .compact))
    output.write(0x0A)
}

/// The header as lines of a name and a value.
private func showHeader(_ header: VaultHeader, _ output: Output) {
    func text(_ bytes: [UInt8]) -> String { String(decoding: CQuoting.quote(bytes), as: UTF8.self) }
    output.line("vault \(text(header.vaultID))")
    output.line("version 1")
    output.line("serial \(header.serial)")
    output.line("written-at \(text(header.writtenAt))")
    output.line("written-by \(text(header.writtenBy))")
    for feature in header.requires { output.line("requires \(text(feature))") }
    for head in header.heads { output.line("head \(head.ref) \(head.commit?.text ?? "-")") }
    for lock in header.lockList.locks {
        let grant = lock.grant?.rawValue ?? "-"
        let id = text(lock.id)
        output.line(
            "lock \(id) \(text(lock.kindName)) \(grant) \(text(lock.createdAt)) \(text(lock.label))"
        )
        output.write("lock-params \(id) ")
        output.write(CanonicalJSON.encode(lock.parameters))
    }
    for id in header.lockList.removed { output.line("removed \(text(id))") }
    let inventory = header.inventory
    output.line(
        "members \(inventory.count) \(inventory.bytes) \(String(decoding: inventory.digest, as: UTF8.self))"
    )
}
