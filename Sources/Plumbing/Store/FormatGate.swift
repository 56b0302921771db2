import Encodings
package import Objects

/// What a vault asks of its clients: the gate in the branch index.
///
/// - Source: docs/vault-format.md, "Object ids and the format gate".
package struct FormatGate: Equatable {
    /// As stored; absent and unknown values read as 1.
    package var format: Int?
    package var minimumClient: [UInt8]?
    /// In stored order, unknown ones kept.
    package var features: [[UInt8]]

    package init(format: Int?, minimumClient: [UInt8]?, features: [[UInt8]]) {
        self.format = format
        self.minimumClient = minimumClient
        self.features = features
    }

    /// 2, or 1 for everything else.
    package var effectiveFormat: Int { format == 2 ? 2 : 1 }

    /// The width of new ids.
    package var idWidth: ObjectID.Width { effectiveFormat == 2 ? .hex32 : .hex12 }

    /// Whether this implementation knows how to write the format; a reader takes an unknown one as 1.
    package var isWritable: Bool { (format ?? 1) <= 2 }

    /// `[a-z0-9][a-z0-9-]{0,39}`.
    package static func isFeature(_ name: [UInt8]) -> Bool {
        (1...40).contains(name.count) && name[0] != UInt8(ascii: "-")
            && name.allSatisfy { $0.isDigit || $0.isLowercase || $0 == UInt8(ascii: "-") }
    }

    package func has(_ feature: StaticString) -> Bool {
        features.contains { $0.isEqual(to: feature) }
    }

    /// Whether it asks for all that another one asks for.
    package func asks(allOf other: FormatGate) -> Bool {
        let least = ClientVersion(0, 0, 0)
        func version(_ text: [UInt8]?) -> ClientVersion {
            text.flatMap { ClientVersion($0) } ?? least
        }
        return effectiveFormat >= other.effectiveFormat
            && version(minimumClient) >= version(other.minimumClient)
            && other.features.allSatisfy(features.contains)
    }

    /// Whether this implementation may read the vault: it answers for the format of sgit 0.26.0.
    package var admitsThisClient: Bool {
        guard let minimum = minimumClient.flatMap({ ClientVersion($0) }) else { return true }
        return minimum <= FormatGate.client
    }

    package static let client = ClientVersion(0, 26, 0)
}

/// A client's version as the gate compares it.
package struct ClientVersion: Comparable {
    package let major: Int
    package let minor: Int
    package let patch: Int

    package init(_ major: Int, _ minor: Int, _ patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads `[v]MAJOR.MINOR.PATCH`, whatever follows; nil for any other text and for 0.0.0, which sets no minimum.
    package init?(_ text: [UInt8]) {
        var rest = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if rest.first == UInt8(ascii: "v") { rest = rest.dropFirst() }
        var numbers: [Int] = []
        while numbers.count < 3 {
            let digits = rest.prefix { $0.isDigit }
            guard !digits.isEmpty else { return nil }
            // A number past 63 bits is a version that no client has.
            numbers.append(digits.reduce(0) { min($0, Int.max / 100) * 10 + Int($1 - 0x30) })
            rest = rest.dropFirst(digits.count)
            guard numbers.count < 3 else { break }
            guard rest.first == UInt8(ascii: ".") else { return nil }
            rest = rest.dropFirst()
        }
        guard numbers != [0, 0, 0] else { return nil }
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// Reads `MAJOR.MINOR.PATCH` and nothing more: what a writer may store.
    package init?(exactly text: [UInt8]) {
        self.init(text)
        guard text.elementsEqual("\(major).\(minor).\(patch)".utf8) else { return nil }
    }

    package static func < (one: ClientVersion, other: ClientVersion) -> Bool {
        (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
    }
}
