import Glibc

/// Times as a person reads them, in the zone that the environment sets.
package enum LocalTime {
    /// `2026-11-30 22:52:02 +0100`.
    ///
    /// - Parameter milliseconds: since 1970.
    package static func text(_ milliseconds: Int) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let count = strftime(text.baseAddress, text.count, "%Y-%m-%d %H:%M:%S %z", &parts)
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]),
                as: UTF8.self)
        }
    }
}
