import Locks
import Unlocking

/// The code that opens the lock: as it was typed, or with one fault mended.
///
/// - Throws: `WrongLockKind`, `LockError`.
func mended(_ typed: TypedCode, for given: GivenLock) throws -> RepairedCode {
    guard given.lock.kind == .recoveryCode else {
        throw WrongLockKind(found: given.lock.kindName)
    }
    try given.lock.checkForm()
    let found = try typed.repaired { code in
        do throws(LockError) {
            _ = try given.lock.unseal(with: .recoveryCode(code.secret), vaultID: given.vaultID)
            return true
        } catch .doesNotOpen {
            return false
        }
    }
    guard let found else {
        // What cannot be a code at all is told as such.
        _ = try typed.code()
        throw LockError.doesNotOpen(id: given.lock.id)
    }
    return found
}
