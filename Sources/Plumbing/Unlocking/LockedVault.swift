package import Locks
package import VaultFile
package import VaultKeys

/// The locks of a vault, in a file or remembered, to be tried with what a person offers.
package struct LockedVault {
    /// For messages.
    package let path: String
    package let vaultID: [UInt8]
    package let list: LockList

    package init(path: String, _ header: VaultHeader) {
        self.path = path
        vaultID = header.vaultID
        list = header.lockList
    }

    private init(path: String, vaultID: [UInt8], list: LockList) {
        self.path = path
        self.vaultID = vaultID
        self.list = list
    }

    /// As if it had this lock alone.
    package func limited(to lock: Lock) -> LockedVault {
        LockedVault(path: path, vaultID: vaultID, list: LockList(locks: [lock], removed: []))
    }

    /// A lock that opened, and the key that it gave.
    package struct Opened {
        package let lock: Lock
        package let key: KeyString
    }

    /// Opens the lock that is named, or the first of those that what is offered has the form for.
    ///
    /// - Throws: `OpeningError`, `LockError`, and what taking a secret throws.
    package func open(with offered: OfferedSecret, lock id: [UInt8]? = nil) throws -> Opened {
        if let id {
            guard let lock = list.lock(id) else { throw OpeningError.noLock(path: path, id: id) }
            return try unseal(lock, offered)
        }
        let candidates = offered.plausibleKinds.flatMap { kind in
            list.locks.filter { $0.kind == kind }
        }
        var tried: [any Error] = []
        var slow = 0
        for lock in candidates {
            do {
                // What is refused unseen costs nothing.
                try lock.checkForm()
                if lock.kind == .passphrase {
                    slow += 1
                    guard slow <= LockBounds.slowTries else { continue }
                }
                return try unseal(lock, offered)
            } catch let error as LockError {
                if case .outOfMemory = error { throw error }
                tried.append(error)
            } catch let error as SecretOptionsError {
                // The helper of another lock.
                guard case .noProvider = error else { throw error }
            }
        }
        if let mistyped = offered.mistypedCode,
            list.locks.contains(where: { $0.kind == .recoveryCode })
        {
            throw OpeningError.mistypedCode(mistyped)
        }
        if slow > LockBounds.slowTries {
            throw OpeningError.notAllTried(path: path, left: slow - LockBounds.slowTries)
        }
        // Of one lock it can be said what is wrong with it.
        if tried.count == 1 { throw tried[0] }
        throw OpeningError.opensNothing(path: path, tried: tried.count)
    }

    private func unseal(_ lock: Lock, _ offered: OfferedSecret) throws -> Opened {
        let secret = try offered.secret(for: lock, vaultID: vaultID)
        return Opened(lock: lock, key: try lock.unseal(with: secret, vaultID: vaultID))
    }

    /// Opens a lock of kind `recovery-code` with what was typed, one mistake mended; nil where it opens none.
    ///
    /// - Throws: `LockError`; `RecoveryCodeError` for what cannot be a code at all.
    package func open(
        typed: TypedCode
    ) throws -> (opened: Opened, code: RecoveryCode, fault: RecoveryCodeFault?)? {
        let locks = list.locks.filter { $0.kind == .recoveryCode }
        var found: Opened?
        let repaired = typed.repaired { code in
            for lock in locks {
                do throws(LockError) {
                    found = Opened(
                        lock: lock,
                        key: try lock.unseal(with: .recoveryCode(code.secret), vaultID: vaultID))
                    return true
                } catch {
                    guard case .doesNotOpen = error else { continue }
                }
            }
            return false
        }
        guard let repaired, let found else { return nil }
        return (found, repaired.code, repaired.fault)
    }
}
