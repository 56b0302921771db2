import Glibc

/// Times as a person reads them, in the zone that the environment sets.
package enum LocalTime {
    /// `2026-11-30 22:52:02 +0100`.
    ///
    /// - Parameter milliseconds: since 1970.
    package static func text(_ milliseconds: Int) -> String {
        written(milliseconds, "%Y-%m-%d %H:%M:%S %z")
    }

    /// `22:52`.
    package static func clock(_ milliseconds: Int) -> String { written(milliseconds, "%H:%M") }

    /// `22:52` on the same day, else how many days ago it was: `3 days ago`.
    package static func ago(_ milliseconds: Int, now: Int) -> String {
        func day(_ time: Int) -> Int {
            var seconds = time_t(time / 1000)
            var parts = tm()
            localtime_r(&seconds, &parts)
            return (time / 1000 + parts.tm_gmtoff) / 86_400
        }
        let days = day(now) - day(milliseconds)
        if days == 0 { return clock(milliseconds) }
        return days == 1 ? "1 day ago" : "\(days) days ago"
    }

    private static func written(_ milliseconds: Int, _ form: String) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let count = strftime(text.baseAddress, text.count, form, &parts)
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<count]),
                as: UTF8.self)
        }
    }
}
