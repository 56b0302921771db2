import Encodings

/// Which paths may stand in a working folder.
///
/// - Source: docs/vault-format.md, "Path guard".
package enum PathGuard {
    /// Whether a part of the path names the vault's own folder, git's, or a backup, in any disguise that a file
    /// system may undo: case, invisible characters, streams, trailing dots, short names.
    package static func isProtected(_ path: [UInt8]) -> Bool {
        segments(path).contains { segment in
            if isPlain(segment) {
                return isProtectedName(Array(segment)) || isProtectedName(plainForm(of: segment))
            }
            let text = String(decoding: segment, as: UTF8.self)
            let cleaned = clean(text)
            return [text, cleaned, fold(cleaned)].contains { isProtectedName(Array($0.utf8)) }
        }
    }

    /// Whether data may be written to the path or read from it, as far as the path alone can tell.
    package static func isWritable(_ path: [UInt8]) -> Bool {
        !isBlank(path)
            && path.first != UInt8(ascii: "/") && path.first != UInt8(ascii: "\\")
            && !segments(path).contains { $0.elementsEqual("..".utf8) } && !isProtected(path)
    }

    private static func isBlank(_ path: [UInt8]) -> Bool {
        // What begins with a printable letter is not blank, and needs no table to tell.
        if let first = path.first, (0x21..<0x7F).contains(first) { return false }
        return String(decoding: path, as: UTF8.self).unicodeScalars
            .allSatisfy(\.properties.isWhitespace)
    }

    /// ASCII needs no Unicode tables, and nearly all names are.
    private static func isPlain(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.allSatisfy { $0 < 0x80 }
    }

    /// The same that `clean` and `fold` make of an ASCII name.
    private static func plainForm(of segment: ArraySlice<UInt8>) -> [UInt8] {
        var form = segment.prefix { $0 != UInt8(ascii: ":") }.map {
            $0.isUppercase ? $0 + 0x20 : $0
        }
        while let last = form.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
            form.removeLast()
        }
        return form
    }

    private static func segments(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
    }

    /// Invisible characters out, case folded, cut at a colon, dots and spaces off the end.
    ///
    /// The rule says NFC before folding; what it could turn into ASCII is the Kelvin sign, which folding turns too.
    private static func clean(_ segment: String) -> String {
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: segment.unicodeScalars.filter { !isInvisible($0) })
        var folded = Array(fold(String(cleaned)).utf8.prefix { $0 != UInt8(ascii: ":") })
        while let last = folded.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
            folded.removeLast()
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Lower, upper, lower: equal to full case folding wherever the result is ASCII, and dotless i too.
    private static func fold(_ text: String) -> String {
        var folded = ""
        for scalar in text.unicodeScalars {
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    folded += upper.properties.lowercaseMapping
                }
            }
        }
        return folded
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF: true
        default: false
        }
    }

    private static func isProtectedName(_ name: [UInt8]) -> Bool {
        if [".sg_vault", ".sg_vault_new", ".git"].contains(where: { name.elementsEqual($0.utf8) }) {
            return true
        }
        return name.starts(with: ".sg_vault_old_".utf8) || isShortName(name) || isBackup(name)
    }

    /// An 8.3 name: `git~1`, `sg_vau~1`, `sg` with four hex digits and `~1`.
    private static func isShortName(_ name: [UInt8]) -> Bool {
        guard let tilde = name.lastIndex(of: UInt8(ascii: "~")), tilde + 1 < name.count,
            name[(tilde + 1)...].allSatisfy({ $0.isDigit })
        else { return false }
        let stem = name[..<tilde]
        return stem.elementsEqual("git".utf8) || stem.elementsEqual("sg_vau".utf8)
            || stem.starts(with: "sg".utf8) && stem.count == 6
                && stem.dropFirst(2).allSatisfy {
                    $0.isDigit || (0x61...0x66).contains($0)
                }
    }

    /// `.vault__*.zip` or `<vault id>__YYYY-MM-DDthh-mm-ssz__<word>.zip`, and what stands beside them.
    private static func isBackup(_ name: [UInt8]) -> Bool {
        var stem = name[...]
        for ending in [".sha256", ".manifest.json"]
        where stem.reversed().starts(with: ending.utf8.reversed()) {
            stem = stem.dropLast(ending.utf8.count)
            break
        }
        guard stem.reversed().starts(with: ".zip".utf8.reversed()) else { return false }
        stem = stem.dropLast(4)
        if stem.starts(with: ".vault__".utf8) { return true }
        let vault = stem.prefix { $0.isDigit || $0.isLowercase }
        var rest = stem.dropFirst(vault.count)
        guard (4...24).contains(vault.count), rest.starts(with: "__".utf8) else { return false }
        rest = rest.dropFirst(2)
        let form = "dddd-dd-ddtdd-dd-ddz__"
        guard rest.count > form.utf8.count,
            zip(rest, form.utf8).allSatisfy({ byte, wanted in
                wanted == UInt8(ascii: "d") ? byte.isDigit : byte == wanted
            })
        else { return false }
        return rest.dropFirst(form.utf8.count).allSatisfy {
            $0.isWordCharacter && !$0.isUppercase
        }
    }
}
