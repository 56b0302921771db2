import Encodings

/// One member of the zip as its records describe it.
package struct ZipEntry: Equatable {
    /// ASCII: the header's name, or a `MemberName`.
    package let name: [UInt8]
    package let size: Int
    package let checksum: UInt32
    /// Where its local header begins.
    package let offset: Int

    package init(name: [UInt8], size: Int, checksum: UInt32, offset: Int) {
        self.name = name
        self.size = size
        self.checksum = checksum
        self.offset = offset
    }

    /// Where its bytes begin.
    package var start: Int { offset + ZipRecords.localCount(self) }
    package var end: Int { start + size }
}

/// The records of the zip, byte for byte: equal content gives equal bytes.
///
/// Stored members only, no flags, no comments, 1980-01-01, no attributes; ZIP64 only where a field does not fit. What
/// the writer writes is what the reader demands, by the same functions.
///
/// - Source: docs/vault-file.md, "The zip"; APPNOTE 6.3.
enum ZipRecords {
    static let localSignature: UInt32 = 0x0403_4B50
    static let centralSignature: UInt32 = 0x0201_4B50
    static let endSignature: UInt32 = 0x0605_4B50
    static let end64Signature: UInt32 = 0x0606_4B50
    static let locatorSignature: UInt32 = 0x0706_4B50

    /// The fixed parts, in bytes.
    static let localFixed = 30
    static let centralFixed = 46
    static let endCount = 22
    static let end64Count = 56
    static let locatorCount = 20

    /// Date and time of every member: 1980-01-01 00:00.
    private static let date: UInt16 = 0x0021
    private static let saturated = 0xFFFF_FFFF

    /// The length of a local header, name and extra field included.
    static func localCount(_ entry: ZipEntry) -> Int {
        localFixed + entry.name.count + (entry.size >= saturated ? 20 : 0)
    }

    static func appendLocal(_ entry: ZipEntry, to record: inout [UInt8]) {
        record.append(localSignature)
        appendShared(entry, to: &record)
        let isLarge = entry.size >= saturated
        record.append(UInt16(isLarge ? 20 : 0))
        record += entry.name
        if isLarge {
            record.append(UInt16(1))
            record.append(UInt16(16))
            record.append(UInt64(entry.size))
            record.append(UInt64(entry.size))
        }
    }

    static func appendCentral(_ entry: ZipEntry, to record: inout [UInt8]) {
        let extraCount = (entry.size >= saturated ? 16 : 0) + (entry.offset >= saturated ? 8 : 0)
        record.append(centralSignature)
        record.append(UInt16(20))
        appendShared(entry, to: &record)
        record.append(UInt16(extraCount == 0 ? 0 : extraCount + 4))
        // Comment, disk, attributes within and without.
        record.append(UInt16(0))
        record.append(UInt16(0))
        record.append(UInt16(0))
        record.append(UInt32(0))
        record.append(UInt32(min(entry.offset, saturated)))
        record += entry.name
        if extraCount > 0 {
            record.append(UInt16(1))
            record.append(UInt16(extraCount))
        }
        if entry.size >= saturated {
            record.append(UInt64(entry.size))
            record.append(UInt64(entry.size))
        }
        if entry.offset >= saturated { record.append(UInt64(entry.offset)) }
    }

    /// From the version needed to the length of the name: the same in both headers of a member.
    private static func appendShared(_ entry: ZipEntry, to record: inout [UInt8]) {
        let is64 = entry.size >= saturated || entry.offset >= saturated
        record.append(UInt16(is64 ? 45 : 10))
        // Flags, method, time.
        record.append(UInt16(0))
        record.append(UInt16(0))
        record.append(UInt16(0))
        record.append(date)
        record.append(entry.checksum)
        record.append(UInt32(min(entry.size, saturated)))
        record.append(UInt32(min(entry.size, saturated)))
        record.append(UInt16(entry.name.count))
    }

    /// What stands behind the directory, to the end of the file.
    static func end(count: Int, directory: Range<Int>) -> [UInt8] {
        var record: [UInt8] = []
        if count >= 0xFFFF || directory.count >= saturated || directory.lowerBound >= saturated {
            record.append(end64Signature)
            record.append(UInt64(44))
            record.append(UInt16(45))
            record.append(UInt16(45))
            record.append(UInt32(0))
            record.append(UInt32(0))
            record.append(UInt64(count))
            record.append(UInt64(count))
            record.append(UInt64(directory.count))
            record.append(UInt64(directory.lowerBound))
            record.append(locatorSignature)
            record.append(UInt32(0))
            record.append(UInt64(directory.upperBound))
            record.append(UInt32(1))
        }
        record.append(endSignature)
        record.append(UInt16(0))
        record.append(UInt16(0))
        record.append(UInt16(min(count, 0xFFFF)))
        record.append(UInt16(min(count, 0xFFFF)))
        record.append(UInt32(min(directory.count, saturated)))
        record.append(UInt32(min(directory.lowerBound, saturated)))
        record.append(UInt16(0))
        return record
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order, as zip has it.
    mutating func append<Number: FixedWidthInteger>(_ number: Number)
    where Number: UnsignedInteger {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension UnsafeRawBufferPointer {
    /// The little-endian number at `offset`, which the caller has checked to lie within.
    func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Int {
        Int(
            truncatingIfNeeded: Number(
                littleEndian: loadUnaligned(fromByteOffset: offset, as: type)))
    }
}
