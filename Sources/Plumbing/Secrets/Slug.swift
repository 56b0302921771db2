/// The name of a secret's file, made of its title once and kept when the title changes.
///
/// - Source: docs/secrets.md, "Where it lies".
package enum Slug {
    private static let longest = 64

    /// Lower-case letters, digits and single hyphens between them, at most 64; empty for a title without any.
    package static func of(_ title: [UInt8]) -> [UInt8] {
        var slug: [UInt8] = []
        for byte in title {
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if (0x61...0x7A).contains(lower) || (0x30...0x39).contains(lower) {
                slug.append(lower)
            } else if let last = slug.last, last != hyphen {
                slug.append(hyphen)
            }
        }
        slug = Array(slug.prefix(longest))
        while slug.last == hyphen { slug.removeLast() }
        return slug
    }

    /// A slug for a new secret that none of the taken ones is: with the first four of its id on a clash, else the id.
    package static func new(
        _ title: [UInt8], id: [UInt8], isTaken: ([UInt8]) -> Bool
    ) -> [UInt8] {
        let slug = of(title)
        guard !slug.isEmpty else { return id }
        guard isTaken(slug) else { return slug }
        let other = slug + [hyphen] + id.prefix(4)
        return isTaken(other) ? id : other
    }

    private static let hyphen = UInt8(ascii: "-")
}
