// The input is a lock as it travels alone; one that is not canonical is made so, and then read as a lock all the same.
import Cryptography
import Encodings
import Harness
import Locks
import SecretMemory
import VaultKeys

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    if let (lock, vaultID) = read(input) {
        expect(lock.line(vaultID: vaultID) == input || hasMore(input), "a lock is its own line")
        expect(lock.hasForm && VaultID(vaultID) != nil, "what is read has its form")
        plantFault(on: lock.label)
        check(lock, vaultID)
    }
    guard let value = answer({ try JSONReader.read(input) }), CanonicalJSON.isUsable(value) else {
        return 0
    }
    let canonical = CanonicalJSON.encode(value)
    expect(isCanonical(canonical), "what is encoded is canonical")
    check(Lock(value), [])
    if let inner = value["lock"] { check(Lock(inner), Array("testvault01".utf8)) }
    return 0
}

private func read(_ line: [UInt8]) -> (lock: Lock, vaultID: [UInt8])? {
    do throws(LockError) {
        return try Lock.read(line: line)
    } catch {
        return nil
    }
}

private func isCanonical(_ bytes: [UInt8]) -> Bool {
    do throws(CanonicalJSONError) {
        _ = try CanonicalJSON.read(bytes)
        return true
    } catch {
        return false
    }
}

/// A line may say more than a lock's own line does.
private func hasMore(_ input: [UInt8]) -> Bool {
    answer { try JSONReader.read(input) }.map { $0.members.count > 4 } ?? false
}

/// Secrets of the vectors; slow derivations are left out.
private func check(_ lock: Lock, _ vaultID: [UInt8]) {
    let code = SecretBytes(count: 16) { target in
        for index in 0..<16 { target[index] = UInt8(index) }
        return 16
    }
    let secret = SecretBytes(count: 32) { target in
        for index in 0..<32 { target[index] = UInt8(0x40 + index) }
        return 32
    }
    do throws(LockError) {
        try lock.checkForm()
        expect(lock.grant != nil && lock.sealed != nil, "a lock in bounds has its parts")
        guard lock.kind != .passphrase else {
            checkBounds(try PassphraseDerivation(of: lock))
            return
        }
        for offered in [.recoveryCode(code), .secret(secret), .commandOutput(secret)]
            as [LockSecret]
        {
            _ = try lock.unseal(with: offered, vaultID: vaultID)
        }
    } catch {
        return
    }
}

private func checkBounds(_ derivation: PassphraseDerivation) {
    switch derivation {
    case .argon2id(let memory, let passes):
        expect(
            memory >= 19456 && memory <= 1_048_576 && passes >= 1 && passes <= 10
                && memory * passes >= 38912 && memory * passes <= 4_194_304, "Argon2id is bounded")
    case .scrypt(let logN, let r, let p):
        expect(
            logN >= 16 && logN <= 20 && r == 8 && p >= 1 && p <= 4, "scrypt is bounded")
    }
}
