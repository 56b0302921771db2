/// The media type of a new file, guessed from its name by the table that the vault format fixes.
///
/// sgit asks the machine's own tables, which differ; the table is the one of its pinned release without them.
/// An unchanged file keeps the type that its entry has. Source: docs/vault-format.md, "Trees and paths".
package enum MediaType {
    package static let unknown: StaticString = "application/octet-stream"

    /// The type for a file name, as ASCII.
    ///
    /// The last extension decides, in its own case and then lowered; a compression suffix is taken off first.
    package static func guess(_ name: [UInt8]) -> [UInt8] {
        var (stem, ending) = split(String(decoding: name, as: UTF8.self))
        while let expanded = suffixes[ending] ?? suffixes[ending.lowercased()] {
            (stem, ending) = split(stem + expanded)
        }
        if encodings.contains(ending) { (stem, ending) = split(stem) }
        let type = types[ending] ?? types[ending.lowercased()]
        return type.map { Array($0.utf8) }
            ?? Array(
                UnsafeBufferPointer(start: unknown.utf8Start, count: unknown.utf8CodeUnitCount))
    }

    /// The name before and from its last dot; leading dots begin no extension.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        let bytes = Array(name.utf8)
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")),
            bytes[start..<dot].contains(where: { $0 != UInt8(ascii: ".") })
        else { return (name, "") }
        return (
            String(decoding: bytes[..<dot], as: UTF8.self),
            String(decoding: bytes[dot...], as: UTF8.self)
        )
    }

    private static let encodings: Set<String> = [".Z", ".br", ".bz2", ".gz", ".xz"]

    private static let suffixes = [
        ".svgz": ".svg.gz", ".taz": ".tar.gz", ".tbz2": ".tar.bz2", ".tgz": ".tar.gz",
        ".txz": ".tar.xz", ".tz": ".tar.gz",
    ]

    /// Extension to type.
    private static let types: [String: String] = {
        var types: [String: String] = [:]
        for (type, endings) in table {
            for ending in endings.utf8.split(separator: UInt8(ascii: " ")) {
                types[String(decoding: ending, as: UTF8.self)] = type
            }
        }
        return types
    }()

    private static let table: [(type: String, endings: String)] = [
        ("application/javascript", ".js .mjs"),
        ("application/json", ".json"),
        ("application/manifest+json", ".webmanifest"),
        ("application/msword", ".doc .dot .wiz"),
        ("application/n-quads", ".nq"),
        ("application/n-triples", ".nt"),
        ("application/octet-stream", ".a .bin .dll .exe .o .obj .so"),
        ("application/oda", ".oda"),
        ("application/pdf", ".pdf"),
        ("application/pkcs7-mime", ".p7c"),
        ("application/postscript", ".ai .eps .ps"),
        ("application/trig", ".trig"),
        ("application/vnd.apple.mpegurl", ".m3u .m3u8"),
        ("application/vnd.ms-excel", ".xlb .xls"),
        ("application/vnd.ms-powerpoint", ".pot .ppa .pps .ppt .pwz"),
        ("application/wasm", ".wasm"),
        ("application/x-bcpio", ".bcpio"),
        ("application/x-cpio", ".cpio"),
        ("application/x-csh", ".csh"),
        ("application/x-dvi", ".dvi"),
        ("application/x-gtar", ".gtar"),
        ("application/x-hdf", ".hdf"),
        ("application/x-hdf5", ".h5"),
        ("application/x-latex", ".latex"),
        ("application/x-mif", ".mif"),
        ("application/x-netcdf", ".cdf .nc"),
        ("application/x-pkcs12", ".p12 .pfx"),
        ("application/x-pn-realaudio", ".ram"),
        ("application/x-python-code", ".pyc .pyo"),
        ("application/x-sh", ".sh"),
        ("application/x-shar", ".shar"),
        ("application/x-shockwave-flash", ".swf"),
        ("application/x-sv4cpio", ".sv4cpio"),
        ("application/x-sv4crc", ".sv4crc"),
        ("application/x-tar", ".tar"),
        ("application/x-tcl", ".tcl"),
        ("application/x-tex", ".tex"),
        ("application/x-texinfo", ".texi .texinfo"),
        ("application/x-troff", ".roff .t .tr"),
        ("application/x-troff-man", ".man"),
        ("application/x-troff-me", ".me"),
        ("application/x-troff-ms", ".ms"),
        ("application/x-ustar", ".ustar"),
        ("application/x-wais-source", ".src"),
        ("application/xml", ".rdf .wsdl .xpdl .xsl"),
        ("application/zip", ".zip"),
        ("audio/3gpp", ".3gp .3gpp"),
        ("audio/3gpp2", ".3g2 .3gpp2"),
        ("audio/aac", ".aac .adts .ass .loas"),
        ("audio/basic", ".au .snd"),
        ("audio/mpeg", ".mp2 .mp3"),
        ("audio/opus", ".opus"),
        ("audio/x-aiff", ".aif .aifc .aiff"),
        ("audio/x-pn-realaudio", ".ra"),
        ("audio/x-wav", ".wav"),
        ("image/avif", ".avif"),
        ("image/bmp", ".bmp"),
        ("image/gif", ".gif"),
        ("image/heic", ".heic"),
        ("image/heif", ".heif"),
        ("image/ief", ".ief"),
        ("image/jpeg", ".jpe .jpeg .jpg"),
        ("image/png", ".png"),
        ("image/svg+xml", ".svg"),
        ("image/tiff", ".tif .tiff"),
        ("image/vnd.microsoft.icon", ".ico"),
        ("image/x-cmu-raster", ".ras"),
        ("image/x-portable-anymap", ".pnm"),
        ("image/x-portable-bitmap", ".pbm"),
        ("image/x-portable-graymap", ".pgm"),
        ("image/x-portable-pixmap", ".ppm"),
        ("image/x-rgb", ".rgb"),
        ("image/x-xbitmap", ".xbm"),
        ("image/x-xpixmap", ".xpm"),
        ("image/x-xwindowdump", ".xwd"),
        ("message/rfc822", ".eml .mht .mhtml .nws"),
        ("text/css", ".css"),
        ("text/csv", ".csv"),
        ("text/html", ".htm .html"),
        ("text/n3", ".n3"),
        ("text/plain", ".bat .c .h .ksh .pl .srt .txt"),
        ("text/richtext", ".rtx"),
        ("text/tab-separated-values", ".tsv"),
        ("text/vtt", ".vtt"),
        ("text/x-python", ".py"),
        ("text/x-setext", ".etx"),
        ("text/x-sgml", ".sgm .sgml"),
        ("text/x-vcard", ".vcf"),
        ("text/xml", ".xml"),
        ("video/mp4", ".mp4"),
        ("video/mpeg", ".m1v .mpa .mpe .mpeg .mpg"),
        ("video/quicktime", ".mov .qt"),
        ("video/webm", ".webm"),
        ("video/x-msvideo", ".avi"),
        ("video/x-sgi-movie", ".movie"),
    ]
}
