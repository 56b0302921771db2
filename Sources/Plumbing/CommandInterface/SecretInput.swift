import Glibc
package import SecretMemory

/// Why a secret could not be taken.
package enum SecretInputError: Error {
    /// A carriage return or line feed stands somewhere other than at the very end.
    case severalLines(source: String)
    case tooLong(source: String, limit: Int)
    /// Nothing was given: a pipe that is drained, or whose writer failed.
    case empty(source: String)
    /// Others can read the file: its permission bits.
    case readableByOthers(path: String, mode: UInt32)
    case system(source: String, code: Int32)
    /// The descriptor is a terminal, and plumbing never prompts.
    case terminal

    /// Whether nobody has given a secret yet, so that another place may be looked at.
    package var leavesRoomForEnvironment: Bool {
        switch self {
        case .terminal, .empty: true
        default: false
        }
    }
}

/// Where a secret comes from.
///
/// It goes straight into `SecretBytes`.
package enum SecretInput {
    case file(String)
    case descriptor(Int32)

    /// The longest secret, in bytes.
    package static let limit = 65_536

    /// Reads the secret and takes one final LF or CRLF off.
    ///
    /// A regular file behind a descriptor is read from its start without moving the offset, so the processes of
    /// a pipeline can share it; a pipe is read to its end.
    /// - Parameter acceptingReadableByOthers: take a key file that its group or others can read.
    package func read(acceptingReadableByOthers: Bool = false) throws(SecretInputError)
        -> SecretBytes
    {
        let (whole, source) = try readWhole(acceptingReadableByOthers)
        var end = whole.count
        let isOneLine = whole.withBytes { bytes in
            if end > 0, bytes[end - 1] == 0x0A {
                end -= 1
                if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
            }
            return !bytes[..<end].contains { $0 == 0x0A || $0 == 0x0D }
        }
        guard end > 0 else { throw .empty(source: source) }
        guard end <= SecretInput.limit else {
            throw .tooLong(source: source, limit: SecretInput.limit)
        }
        guard isOneLine else { throw .severalLines(source: source) }
        return whole.copy(0..<end)
    }

    /// Reads a secret of several lines, such as a private key, as it is.
    package func readDocument(acceptingReadableByOthers: Bool) throws(SecretInputError)
        -> SecretBytes
    {
        let (whole, source) = try readWhole(acceptingReadableByOthers)
        guard whole.count <= SecretInput.limit else {
            throw .tooLong(source: source, limit: SecretInput.limit)
        }
        return whole
    }

    private func readWhole(
        _ acceptingReadableByOthers: Bool
    ) throws(SecretInputError) -> (SecretBytes, source: String) {
        switch self {
        case .descriptor(let descriptor):
            if isatty(descriptor) == 1 { throw .terminal }
            let source = "descriptor \(descriptor)"
            return (try SecretInput.read(descriptor, source: source), source)
        case .file(let path):
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw .system(source: path, code: errno) }
            defer { close(file) }
            if isatty(file) == 1 { throw .terminal }
            var status = stat()
            guard fstat(file, &status) == 0 else { throw .system(source: path, code: errno) }
            if status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0,
                !acceptingReadableByOthers
            {
                throw .readableByOthers(path: path, mode: status.st_mode & 0o777)
            }
            return (try SecretInput.read(file, source: path), path)
        }
    }

    private static func read(_ file: Int32, source: String) throws(SecretInputError) -> SecretBytes
    {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(source: source, code: errno) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        defer { spendStandardInput(ifSameAs: status) }
        return try SecretBytes(count: limit + 3) { buffer throws(SecretInputError) in
            var count = 0
            while count < buffer.count, let start = buffer.baseAddress {
                let place = start + count
                let got =
                    isRegular
                    ? pread(file, place, buffer.count - count, off_t(count))
                    : Glibc.read(file, place, buffer.count - count)
                if got == 0 { break }
                if got < 0 {
                    if errno == EINTR { continue }
                    if errno == EAGAIN {
                        waitUntilReadable(file)
                        continue
                    }
                    throw .system(source: source, code: errno)
                }
                count += got
            }
            return count
        }
    }

    /// Makes standard input unreadable where it is the file that the key came from.
    ///
    /// The offset of a regular file has not moved, so the key would be read again as a name and shown.
    private static func spendStandardInput(ifSameAs source: stat) {
        var input = stat()
        guard fstat(STDIN_FILENO, &input) == 0, input.st_dev == source.st_dev,
            input.st_ino == source.st_ino
        else { return }
        let unreadable = open("/dev/null", O_WRONLY)
        guard unreadable >= 0, dup2(unreadable, STDIN_FILENO) == STDIN_FILENO else {
            Tool.complain("cannot set standard input aside: \(String(cString: strerror(errno)))")
            exit(ExitStatus.failure.rawValue)
        }
        close(unreadable)
    }
}
