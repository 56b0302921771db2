import Glibc

/// Why a file or folder could not be read.
package enum FileError: Error, Equatable {
    case notFound(path: String)
    /// A folder, pipe, socket, device or link stands where a file should.
    case notRegular(path: String)
    case tooLarge(path: String, size: Int, limit: Int)
    /// Another program holds the folder, and did not let go in time.
    case held(path: String)
    /// Another answer of the system: what was tried, on what, and its error number.
    case system(operation: String, path: String, code: Int32)

    static func fromErrno(_ operation: String, _ path: String) -> FileError {
        switch errno {
        case ENOENT: .notFound(path: path)
        case ELOOP, ENXIO, ENODEV: .notRegular(path: path)
        case let code: .system(operation: operation, path: path, code: code)
        }
    }

    /// Whether the system says that this person may not.
    package static func isForbidden(_ code: Int32) -> Bool { code == EACCES || code == EPERM }

    /// Whether a descriptor is closed, or not open for what was asked.
    package static func isClosed(_ code: Int32) -> Bool { code == EBADF }

    /// The system's words for an error number.
    package static func words(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
