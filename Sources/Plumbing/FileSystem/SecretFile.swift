import Glibc
package import SecretMemory

extension Folder {
    /// The bytes of a small regular file that holds a secret, without a copy outside `SecretBytes`.
    ///
    /// - Parameter limit: the largest size accepted, in bytes.
    package func readSecret(_ name: String, limit: Int) throws(FileError) -> SecretBytes {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .fromErrno("open", path + "/" + name) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .fromErrno("look up", path + "/" + name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path + "/" + name) }
        let size = Int(status.st_size)
        guard size <= limit else {
            throw .tooLarge(path: path + "/" + name, size: size, limit: limit)
        }
        return try SecretBytes(count: size) { target throws(FileError) in
            var count = 0
            while count < size, let start = target.baseAddress {
                let got = Glibc.read(file, start + count, size - count)
                if got == 0 { break }
                guard got > 0 || errno == EINTR else {
                    throw .fromErrno("read", path + "/" + name)
                }
                count += max(got, 0)
            }
            return count
        }
    }

    /// Writes a secret to a file that only its owner can read, whole and flushed.
    package func replace(_ name: String, with secret: SecretBytes) throws(FileError) {
        let file = try PendingFile(name, in: self, mode: 0o600)
        try secret.withBytes { bytes throws(FileError) in
            try file.write(bytes)
            return ()
        }
        try file.sync()
        try file.replace()
    }
}
