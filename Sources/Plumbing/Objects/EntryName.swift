import Encodings

/// The name of an entry in a tree, or a path of such names: UTF-8 bytes, compared and sorted by byte.
///
/// `String` would fold the NFC and NFD spellings of é into one name; in a vault they are two files.
package struct EntryName: Hashable, Comparable {
    package let bytes: [UInt8]

    /// Nil unless the bytes are UTF-8, not empty and without NUL, which no file's name holds and records end with.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !bytes.contains(0), UTF8Text.isValid(bytes) else { return nil }
        self.bytes = bytes
    }

    package static func < (one: EntryName, other: EntryName) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
