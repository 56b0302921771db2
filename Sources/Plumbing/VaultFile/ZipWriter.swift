import Encodings

/// Writes a vault file's container from its beginning to its end, to whatever takes bytes.
struct ZipWriter {
    typealias Sink = (UnsafeRawBufferPointer) throws -> Void

    private let sink: Sink
    private var buffer: [UInt8] = []
    private var entries: [ZipEntry] = []
    /// Where the next member begins.
    private var offset = 0

    private static let bufferCount = 1 << 18
    /// From so many bytes on writing them by themselves is cheaper than a copy.
    private static let largePart = 1 << 14

    init(_ sink: @escaping Sink) {
        self.sink = sink
        buffer.reserveCapacity(2 * ZipWriter.bufferCount)
    }

    mutating func add(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer) throws {
        let entry = ZipEntry(
            name: name, size: bytes.count, checksum: CRC32.checksum(bytes), offset: offset)
        ZipRecords.appendLocal(entry, to: &buffer)
        if bytes.count >= ZipWriter.largePart {
            try flush()
            try sink(bytes)
        } else {
            buffer.append(contentsOf: bytes)
            if buffer.count >= ZipWriter.bufferCount { try flush() }
        }
        offset = entry.end
        entries.append(entry)
    }

    /// Writes the directory and what stands behind it.
    mutating func finish() throws {
        let start = offset
        var count = 0
        for entry in entries {
            let before = buffer.count
            ZipRecords.appendCentral(entry, to: &buffer)
            count += buffer.count - before
            if buffer.count >= ZipWriter.bufferCount { try flush() }
        }
        buffer += ZipRecords.end(count: entries.count, directory: start..<start + count)
        try flush()
    }

    private mutating func flush() throws {
        try buffer.withUnsafeBytes { try sink($0) }
        buffer.removeAll(keepingCapacity: true)
    }
}
