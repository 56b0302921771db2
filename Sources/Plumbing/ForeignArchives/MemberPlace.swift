import Encodings

/// Where a member stands, by its name alone.
enum MemberPlace {
    /// Below a folder `bare`.
    case inside
    case leftOut(MemberRecord.LeftOut)
    case refused(MemberRecord.Refusal)

    init(_ name: [UInt8]) {
        if let refusal = MemberPlace.refusal(of: name) {
            self = .refused(refusal)
            return
        }
        let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let last = parts[parts.count - 1]
        if parts[0].elementsEqual("__MACOSX".utf8) || last.starts(with: "._".utf8)
            || last.elementsEqual(".DS_Store".utf8)
        {
            self = .leftOut(.finder)
        } else if parts.dropLast().contains(where: { $0.elementsEqual("bare".utf8) }) {
            self = .inside
        } else {
            self = .leftOut(.outside)
        }
    }

    /// What makes a name one that no archive may hold; nil where nothing does.
    static func refusal(of name: [UInt8]) -> MemberRecord.Refusal? {
        let slash = UInt8(ascii: "/")
        guard name.count <= MemberStream.longestName else { return .longName }
        guard !name.isEmpty, name[0] != slash, !name.contains(0),
            !name.contains(UInt8(ascii: "\\"))
        else { return .badName }
        // A drive, where others would put it.
        if name.count >= 3, name[1] == UInt8(ascii: ":"), name[2] == slash,
            name[0].isLowercase || name[0].isUppercase
        {
            return .badName
        }
        return name.split(separator: slash).contains { $0.elementsEqual("..".utf8) }
            ? .badName : nil
    }
}
