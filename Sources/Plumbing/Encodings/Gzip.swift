import CZlib

/// Checks a gzip file (RFC 1952): that it inflates to its end, and that the CRC and the length of each part are right.
///
/// Parts may follow one another, and zeros the last. What it holds is counted and not kept.
package final class GzipCheck {
    private var inflater = z_stream()
    private let limit: Int
    private var length = 0
    /// Between two parts nothing is being inflated.
    private var isInside = false
    private var sawPart = false
    private var sawPadding = false

    /// - Parameter limit: what it may hold at most, in bytes.
    package init(limit: Int) {
        self.limit = limit
        guard czlib_gunzip_init(&inflater) == Z_OK else { fatalError("zlib has no memory") }
    }

    deinit { inflateEnd(&inflater) }

    /// Takes the next bytes of the file.
    package func take(_ bytes: UnsafeRawBufferPointer) throws(DeflateError) {
        var rest = UnsafeRawBufferPointer(rebasing: bytes[...])
        while let first = rest.first {
            if !isInside, sawPart, first == 0 || sawPadding {
                guard rest.allSatisfy({ $0 == 0 }) else { throw .malformed }
                sawPadding = true
                return
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(try inflate(rest)))
        }
    }

    /// Says that this was all.
    package func finish() throws(DeflateError) {
        guard sawPart, !isInside else { throw .malformed }
    }

    /// Inflates what can be inflated, and gives the number of bytes used.
    private func inflate(_ bytes: UnsafeRawBufferPointer) throws(DeflateError) -> Int {
        isInside = true
        let count = min(bytes.count, 1 << 30)
        inflater.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        inflater.avail_in = UInt32(count)
        let window = 1 << 16
        var status = Z_OK
        repeat {
            status = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: window) { output in
                inflater.next_out = output.baseAddress
                inflater.avail_out = UInt32(window)
                return CZlib.inflate(&inflater, Z_NO_FLUSH)
            }
            length += window - Int(inflater.avail_out)
            guard length <= limit else { throw .pastLimit(limit) }
        } while status == Z_OK && inflater.avail_out == 0
        switch status {
        // The second says no more than that bytes are wanted.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            isInside = false
            sawPart = true
            inflateReset(&inflater)
        default: throw .malformed
        }
        return count - Int(inflater.avail_in)
    }
}
