import CZlib

/// The checksum of zip members (ISO 3309): it shows accidents, and proves nothing.
package enum CRC32 {
    package static func checksum(
        _ bytes: UnsafeRawBufferPointer, continuing start: UInt32 = 0
    ) -> UInt32 {
        UInt32(
            truncatingIfNeeded: crc32_z(
                UInt(start), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }
}
