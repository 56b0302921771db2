import CLinux
import Glibc

/// What a process does before it takes a secret, or before it parses what nobody vouches for.
package enum ProcessHardening {
    /// Forbids core files and keeps other processes of the same user from reading this one's memory.
    ///
    /// Failures are ignored: a sandbox may forbid the calls, and the secrets are still wiped.
    package static func apply() {
        lower(RLIMIT_CORE, to: 0)
        _ = clinux_set_undumpable()
    }

    /// Leaves a process the standard descriptors, which it may read and write where they are no files, and memory.
    ///
    /// From here on it opens and writes no file, starts no program, gains no rights, and has an end. Failures are ignored
    /// as above: this is a second wall.
    /// - Parameters:
    ///   - memory: the address space that it may have, in bytes.
    ///   - seconds: the time that it may compute.
    package static func confine(memory: UInt, seconds: UInt) {
        apply()
        _ = clinux_forbid_new_privileges()
        _ = clinux_close_all(UInt32(STDERR_FILENO + 1))
        lower(RLIMIT_NOFILE, to: UInt(STDERR_FILENO + 1))
        lower(RLIMIT_FSIZE, to: 0)
        lower(__rlimit_resource(6), to: 0)  // RLIMIT_NPROC, a macro that is not imported
        lower(RLIMIT_AS, to: memory)
        lower(RLIMIT_CPU, to: seconds)
    }

    /// Lowers a limit for good; one that is lower already stays.
    private static func lower(_ limit: __rlimit_resource, to value: UInt) {
        let resource = __rlimit_resource_t(limit.rawValue)
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return }
        limits.rlim_max = min(limits.rlim_max, value)
        limits.rlim_cur = min(limits.rlim_cur, limits.rlim_max)
        setrlimit(resource, &limits)
    }
}
