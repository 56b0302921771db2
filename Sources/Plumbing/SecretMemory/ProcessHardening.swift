import CLinux
import Glibc

/// What a process does before it takes a secret.
package enum ProcessHardening {
    /// Forbids core files and keeps other processes of the same user from reading this one's memory.
    ///
    /// Failures are ignored: a sandbox may forbid the calls, and the secrets are still wiped.
    package static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = clinux_set_undumpable()
    }
}
