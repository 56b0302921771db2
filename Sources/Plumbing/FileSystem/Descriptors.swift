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

    /// Reads what is there, and waits where nothing is; 0 at the end.
    ///
    /// - Parameter path: what it is called in an error.
    package static func read(
        _ descriptor: Int32, path: String, into target: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        while true {
            let got = Glibc.read(descriptor, target.baseAddress, target.count)
            if got >= 0 { return got }
            guard errno == EINTR else { throw .fromErrno("read", path) }
        }
    }
}
