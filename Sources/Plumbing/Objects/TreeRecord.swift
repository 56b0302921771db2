import Encodings

/// Why a record is no entry of a new tree.
package enum TreeRecordError: Error, Equatable {
    case malformed([UInt8])
    case badName([UInt8])
    case longName([UInt8])
    /// The path guard keeps it out of every working folder.
    case protectedName([UInt8])
    case repeatedName([UInt8])
    /// An entry says tree, and the object is none.
    case noTree(ObjectID)
}

/// An entry of a tree as a record: what `PrettyLayout.record` prints, read back.
///
///     <kind> <id> TAB <name>
///     <kind> <id> <size> <content hash> <media type> TAB <name>
package struct TreeRecord: Equatable {
    package let kind: ObjectKind
    package let id: ObjectID
    package let name: EntryName
    /// What a long record says of a blob; nil in a short one, and for a tree.
    ///
    /// `isLarge` is never said.
    package let facts: BlobFacts?

    /// The longest name that a tree can hold, in bytes: what its sealed field has room for.
    package static let longestName = EnvelopeCipher.largestFieldText

    /// - Parameter names: whether what begins with `"` is quoted.
    package init(_ record: [UInt8], names: PrettyLayout.Names) throws(TreeRecordError) {
        guard let tab = record.firstIndex(of: UInt8(ascii: "\t")),
            let name = names == .raw
                ? Array(record[(tab + 1)...]) : CQuoting.unquote(record[(tab + 1)...])
        else { throw .malformed(record) }
        let fields = TreeRecord.fields(record[..<tab])
        guard fields.count == 2 || fields.count == 5,
            let kind = ObjectKind(rawValue: String(decoding: fields[0], as: UTF8.self)),
            kind == .blob || kind == .tree, let id = ObjectID(fields[1])
        else { throw .malformed(record) }
        self.kind = kind
        self.id = id
        self.name = try TreeRecord.checked(name)
        guard fields.count == 5 else {
            facts = nil
            return
        }
        let isDash = fields[2...].map { $0.elementsEqual("-".utf8) }
        if kind == .tree {
            guard !isDash.contains(false) else { throw .malformed(record) }
            facts = nil
            return
        }
        guard let size = Decimal.parse(fields[2]),
            let hash = isDash[1] ? [] : CQuoting.unquote(fields[3]),
            let type = isDash[2] ? [] : CQuoting.unquote(fields[4]),
            max(hash.count, type.count) <= EnvelopeCipher.largestFieldText,
            UTF8Text.isValid(hash), UTF8Text.isValid(type)
        else { throw .malformed(record) }
        facts = BlobFacts(size: size, contentHash: hash, mediaType: type, isLarge: false)
    }

    /// The fields between spaces; a space in quotes parts nothing.
    private static func fields(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var isQuoted = false
        var place = start
        while place < text.endIndex {
            switch text[place] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted: place += 1
            case UInt8(ascii: " ") where !isQuoted:
                fields.append(text[start..<place])
                start = place + 1
            default: break
            }
            place += 1
        }
        return fields + [text[start...]]
    }

    /// A name that a new tree may hold.
    private static func checked(_ bytes: [UInt8]) throws(TreeRecordError) -> EntryName {
        guard let name = EntryName(bytes), !bytes.contains(UInt8(ascii: "/")),
            !bytes.elementsEqual(".".utf8), !bytes.elementsEqual("..".utf8)
        else { throw .badName(bytes) }
        guard bytes.count <= longestName else { throw .longName(bytes) }
        guard PathGuard.isWritable(bytes) else { throw .protectedName(bytes) }
        return name
    }
}
