import CommandInterface
import FileSystem

/// Standard input as one piece, for a tool that also takes a key.
package enum StandardInput {
    /// All of it.
    ///
    /// Asked for only once the key has been taken: where both come from one place, the key is never read as data.
    /// - Parameters:
    ///   - limit: the largest size accepted, in bytes.
    ///   - before, after: room to leave around the bytes.
    /// - Throws: `InputError.notReadable` where it is closed or was spent on the key; `FileError`.
    package static func contents(
        limit: Int, before: Int = 0, after: Int = 0
    ) throws -> [UInt8] {
        do throws(FileError) {
            return try FileContents.read(
                0, path: "standard input", limit: limit, before: before, after: after)
        } catch {
            guard case .system(_, _, let code) = error, FileError.isClosed(code) else {
                throw error
            }
            throw InputError.notReadable
        }
    }
}
