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

    /// Whether the process or the system has no descriptor left.
    package static func isOutOfDescriptors(_ code: Int32) -> Bool {
        code == EMFILE || code == ENFILE
    }

    /// The system's words for an error number.
    package static func words(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
