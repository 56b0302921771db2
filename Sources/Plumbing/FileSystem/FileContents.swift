import Glibc

/// The bytes of a file or stream that a person names, whole.
package enum FileContents {
    /// Reads a file; links are followed and pipes read to their end.
    ///
    /// - Parameters:
    ///   - path: its bytes, which need not be UTF-8.
    ///   - limit: the largest size accepted, in bytes.
    ///   - before, after: room to leave around the bytes, all zero.
    package static func read(
        _ path: [UInt8], limit: Int, before: Int = 0, after: Int = 0
    ) throws(FileError) -> [UInt8] {
        let shown = String(decoding: path, as: UTF8.self)
        let file = (path + [0]).withUnsafeBytes { path in
            path.assumingMemoryBound(to: CChar.self).baseAddress
                .map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
        }
        guard file >= 0 else { throw .fromErrno("open", shown) }
        defer { close(file) }
        return try read(file, path: shown, limit: limit, before: before, after: after)
    }

    /// Reads a file that was found in a folder: one that has become a link or a pipe since is refused.
    package static func readFile(
        _ path: String, limit: Int, before: Int = 0, after: Int = 0
    ) throws(FileError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .fromErrno("open", path) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .fromErrno("look up", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
        return try read(file, path: path, limit: limit, before: before, after: after)
    }

    /// Reads a descriptor to its end.
    ///
    /// - Parameter path: what it is called in an error.
    package static func read(
        _ file: Int32, path: String, limit: Int, before: Int = 0, after: Int = 0
    ) throws(FileError) -> [UInt8] {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .fromErrno("look up", path) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .notRegular(path: path) }
        // A file says its size, and may be another one by the time it is read; a pipe does not.
        let size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
        guard size <= limit else { throw .tooLarge(path: path, size: size, limit: limit) }
        var bytes: [UInt8] = []
        // One byte more shows the end without growing.
        var room = size > 0 ? size + 1 : 65_536
        while true {
            let start = bytes.isEmpty ? before : bytes.count
            var failure: Int32 = 0
            var isAtEnd = false
            func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
                var count = 0
                while count < target.count, let address = target.baseAddress {
                    let got = Glibc.read(file, address + count, min(target.count - count, 1 << 30))
                    if got == 0 {
                        isAtEnd = true
                        break
                    }
                    // A regular file ends where it says; what is added to it meanwhile is another version.
                    if got > 0, count + got == size {
                        isAtEnd = true
                        count += got
                        break
                    }
                    if got < 0 {
                        if errno == EINTR { continue }
                        if errno == EAGAIN {
                            // Somebody made it non-blocking.
                            var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                            poll(&waiting, 1, -1)
                            continue
                        }
                        failure = errno
                        break
                    }
                    count += got
                }
                return count
            }
            if bytes.isEmpty {
                bytes = [UInt8](unsafeUninitializedCapacity: before + room + after) {
                    target, count in
                    target.prefix(before).initialize(repeating: 0)
                    let part = UnsafeMutableBufferPointer(
                        rebasing: target[before..<before + room])
                    count = before + fill(UnsafeMutableRawBufferPointer(part))
                }
            } else {
                bytes.reserveCapacity(start + room + after)
                bytes.append(contentsOf: repeatElement(0, count: room))
                let got = bytes.withUnsafeMutableBytes { target in
                    fill(UnsafeMutableRawBufferPointer(rebasing: target[start...]))
                }
                bytes.removeLast(room - got)
            }
            guard failure == 0 else {
                throw .system(operation: "read", path: path, code: failure)
            }
            let count = bytes.count - before
            guard count <= limit else { throw .tooLarge(path: path, size: count, limit: limit) }
            if isAtEnd {
                bytes.append(contentsOf: repeatElement(0, count: after))
                return bytes
            }
            room = max(room, bytes.count)
        }
    }
}
