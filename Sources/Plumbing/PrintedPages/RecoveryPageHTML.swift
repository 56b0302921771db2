package import SecretMemory

extension RecoveryPage {
    package enum Paper {
        case a4
        case letter

        /// As CSS names it.
        var name: String {
            switch self {
            case .a4: "A4"
            case .letter: "letter"
            }
        }

        /// Width and height as CSS lengths.
        var size: (width: String, height: String) {
            switch self {
            case .a4: ("210mm", "297mm")
            case .letter: ("8.5in", "11in")
            }
        }
    }

    /// The page as one HTML file that prints on one sheet.
    ///
    /// It asks for nothing from anywhere, and a policy in it forbids that; nothing in it runs. The code stands in it once in
    /// letters, in seven pieces.
    package func html(paper: Paper) -> SecretBytes {
        SecretText.make { text in
            writeHead(paper, into: &text)
            text.write("<body>\n<main>\n<header><h1>\(RecoveryWords.title)</h1>")
            text.write("<p>")
            text.writeEscaped(date)
            text.write("</p></header>\n")
            writeCode(into: &text)
            writeParagraph(RecoveryWords.power, "power", into: &text)
            writeFacts(into: &text)
            writeOpening(into: &text)
            writeBlanks(into: &text)
            text.write("</main>\n</body>\n</html>\n")
        }
    }

    private func writeHead(_ paper: Paper, into text: inout SecretText) {
        text.write(
            """
            <!DOCTYPE html>
            <html lang="en" translate="no">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="referrer" content="no-referrer">
            <meta name="robots" content="noindex, nofollow, noarchive">
            <meta name="google" content="notranslate">
            <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
            <meta name="viewport" content="width=820">
            <meta name="color-scheme" content="only light">
            <title>\(RecoveryWords.title)</title>
            <style>
            @page { size: \(paper.name); margin: 0 }
            :root { --width: \(paper.size.width); --height: \(paper.size.height) }
            \(RecoveryPageStyle.text)
            </style>
            </head>

            """)
    }

    private func writeCode(into text: inout SecretText) {
        text.write("<section class=\"code\">\n")
        qrCode.writeSVG(into: &text)
        text.write("\n<div>\n<p class=\"groups\">")
        for index in 0..<RecoveryPage.groupCount {
            if index > 0 { text.write(" ") }
            text.write("<b data-from=\"\(index * RecoveryPage.groupLength + 1)\">")
            writeGroup(index, into: &text)
            text.write("</b>")
        }
        text.write("</p>\n")
        writeParagraph(
            "\(RecoveryWords.alphabet) \(RecoveryWords.counting)", "note", into: &text)
        text.write("</div>\n</section>\n")
    }

    private func writeFacts(into text: inout SecretText) {
        text.write("<dl>")
        for fact in facts {
            text.write("<div><dt>\(fact.name)</dt><dd>")
            text.writeEscaped(fact.value)
            text.write("</dd></div>")
        }
        text.write("</dl>\n")
    }

    private func writeOpening(into text: inout SecretText) {
        text.write("<h2>\(RecoveryWords.opening)</h2>\n<pre class=\"first\">")
        text.writeEscaped(RecoveryWords.porcelain)
        text.write("</pre>\n")
        writeParagraph(RecoveryWords.porcelainNote, "note", into: &text)
        text.write("<h3>\(RecoveryWords.plumbing)</h3>\n<ol>\n")
        for step in steps {
            text.write("<li>")
            text.writeEscaped(step.words)
            text.write("\n<pre>")
            text.writeEscaped(step.commands.joined(separator: "\n"))
            text.write("</pre></li>\n")
        }
        text.write("</ol>\n<p class=\"note\">\(RecoveryWords.oneFile): <code>")
        text.writeEscaped(RecoveryPage.oneFile)
        text.write("</code><br>\(RecoveryWords.cleaning): <code>")
        text.writeEscaped(RecoveryPage.cleaning)
        text.write("</code></p>\n")
        writeParagraph(RecoveryWords.otherMachine, "note", into: &text)
    }

    private func writeBlanks(into text: inout SecretText) {
        text.write("<footer>")
        text.write("<p><span>\(RecoveryWords.keptAt):</span><i></i></p>")
        text.write("<p><span>\(RecoveryWords.openedLast):</span>")
        text.write(String(repeating: "<i></i>", count: RecoveryWords.openings) + "</p>")
        text.write("</footer>\n")
    }

    private func writeParagraph(_ words: String, _ kind: String, into text: inout SecretText) {
        text.write("<p class=\"\(kind)\">")
        text.writeEscaped(words)
        text.write("</p>\n")
    }
}
