import Glibc

/// The descriptors of this process.
package enum Descriptors {
    /// How many a process may open beside those that it needs for itself.
    package static var free: Int {
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 0 }
        return max(0, Int(min(limits.rlim_cur, 1 << 20)) - reserved)
    }

    private static let reserved = 64
}
