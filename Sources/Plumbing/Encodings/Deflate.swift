import CZlib

/// Why a zlib stream was refused.
package enum DeflateError: Error, Equatable {
    case malformed
    /// The plaintext would be longer than the caller's bound, in bytes.
    case pastLimit(Int)
}

/// zlib streams (RFC 1950): two bytes of header, deflate, Adler-32.
package enum Deflate {
    /// The plaintext of the zlib stream at the start of `stream`; bytes after its end are ignored, as sgit does.
    ///
    /// A stream that would pass `limit` bytes is refused without taking the memory: past a first guess its
    /// length is counted before a buffer is made.
    package static func inflate(_ stream: ArraySlice<UInt8>, limit: Int) throws(DeflateError)
        -> [UInt8]
    {
        let guess = min(limit, max(min(4 * stream.count, largestGuess), 4096))
        let first = inflatedLength(stream, into: guess, limit: limit)
        switch first {
        case .failure(let error): throw error
        case .success((let bytes?, _)): return bytes
        case .success((nil, let length)):
            let second = inflatedLength(stream, into: length, limit: length)
            guard case .success((let bytes?, _)) = second else { throw .malformed }
            return bytes
        }
    }

    /// The zlib stream of `plaintext` at level 6, which is sgit's.
    package static func deflate(_ plaintext: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        guard czlib_deflate_init(&stream, 6) == Z_OK else { fatalError("zlib has no memory") }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(plaintext.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, written in
            plaintext.withUnsafeBufferPointer { input in
                var taken = 0
                var status = Z_OK
                while status == Z_OK {
                    let part = min(input.count - taken, largestPart)
                    stream.next_in = UnsafeMutablePointer(
                        mutating: input.baseAddress.map { $0 + taken })
                    stream.avail_in = UInt32(part)
                    stream.next_out = output.baseAddress.map { $0 + written }
                    let room = min(bound - written, largestPart)
                    stream.avail_out = UInt32(room)
                    let isLast = taken + part == input.count
                    status = CZlib.deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    taken += part - Int(stream.avail_in)
                    written += room - Int(stream.avail_out)
                }
                precondition(status == Z_STREAM_END)
            }
        }
    }

    /// Up to here a buffer is made before the length is known: counting first means inflating twice.
    private static let largestGuess = 1 << 20

    /// zlib counts in 32 bits.
    private static let largestPart = 1 << 30

    /// Inflates into a buffer of `capacity` bytes; where that is too small, gives only the length of the whole.
    private static func inflatedLength(
        _ stream: ArraySlice<UInt8>, into capacity: Int, limit: Int
    ) -> Result<(bytes: [UInt8]?, length: Int), DeflateError> {
        var inflater = z_stream()
        guard czlib_inflate_init(&inflater) == Z_OK else { return .failure(.malformed) }
        defer { inflateEnd(&inflater) }
        return stream.withUnsafeBufferPointer { input in
            var taken = 0
            var status = Z_OK
            /// Fills `output` as far as the stream goes and returns the bytes written.
            func fill(_ output: UnsafeMutableBufferPointer<UInt8>) -> Int {
                var written = 0
                while status == Z_OK, written < output.count {
                    let part = min(input.count - taken, largestPart)
                    let room = min(output.count - written, largestPart)
                    inflater.next_in = UnsafeMutablePointer(
                        mutating: input.baseAddress.map { $0 + taken })
                    inflater.avail_in = UInt32(part)
                    inflater.next_out = output.baseAddress.map { $0 + written }
                    inflater.avail_out = UInt32(room)
                    status = CZlib.inflate(&inflater, Z_NO_FLUSH)
                    taken += part - Int(inflater.avail_in)
                    written += room - Int(inflater.avail_out)
                }
                return written
            }
            let bytes = [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { buffer, count in
                count = fill(UnsafeMutableBufferPointer(rebasing: buffer[..<capacity]))
            }
            if status == Z_STREAM_END { return .success((bytes, bytes.count)) }
            // Either the buffer is full, or the stream is wrong or cut short: a window tells which.
            var length = bytes.count
            let tail = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { window in
                while status == Z_OK, length <= limit {
                    let more = fill(window)
                    if more == 0 && status == Z_OK { break }
                    length += more
                }
                return length
            }
            if tail > limit { return .failure(.pastLimit(limit)) }
            if status == Z_STREAM_END {
                return .success(tail == bytes.count ? (bytes, tail) : (nil, tail))
            }
            return .failure(.malformed)
        }
    }
}
