// A strict JSON reader (RFC 8259) over bytes in memory: a `JSONValue` built by `JSONScanner`.
// Refused: nesting past 64, more than 1,048,576 values, invalid UTF-8, lone surrogates, control characters in strings, a byte order
// mark, NaN and its like, bytes after the document. A member that stands twice is kept twice.

/// Why a document was refused.
///
/// `at` is the offset of the byte that was not expected.
package enum JSONError: Error, Equatable {
    case malformed(at: Int)
    case tooDeep(at: Int)
    case tooManyValues(at: Int)
}

package enum JSONReader {
    /// The deepest nesting that is read.
    package static let maximumDepth = 64
    /// The most values that one document is built of: a byte or two of text can cost a hundred in memory.
    package static let maximumValues = 1 << 20

    /// Reads one whole document.
    package static func read(_ bytes: some ContiguousBytes) throws(JSONError) -> JSONValue {
        let result: Result<JSONValue, JSONError> = bytes.withBytes { buffer in
            var scanner = JSONScanner(buffer)
            do throws(JSONError) {
                let value = try scanner.value()
                try scanner.end()
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// Bytes that lie in one piece of memory.
package protocol ContiguousBytes {
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension Array: ContiguousBytes where Element == UInt8 {
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(body)
    }
}

extension ArraySlice: ContiguousBytes where Element == UInt8 {
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(body)
    }
}
