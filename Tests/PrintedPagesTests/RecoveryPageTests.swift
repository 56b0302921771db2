import PrintedPages
import TestSupport
import Testing

@Suite struct RecoveryPageTests {
    private static let groups = ["VTPV", "XVR0", "24H3", "6H2N", "CSVR", "H6DA", "QCNT"]
    private static let lock = "65376253275de759"

    private static func page(
        vaultID: String = "a1b2c3d4e5f6", program: String = "sgit-vault 0.1.0"
    ) -> RecoveryPage {
        RecoveryPage(
            code: TestKeys.secret(QRCodeTests.text), vaultID: vaultID, lockID: lock,
            fingerprint: "86cf 0cc6 f08d ccf0", date: "2026-12-01", program: program)
    }

    private static func text(_ surface: QRCode.Surface?, _ page: RecoveryPage = page()) -> String {
        String(decoding: TestKeys.bytes(page.text(qrCodeFor: surface)), as: UTF8.self)
    }

    private static func html(
        _ paper: RecoveryPage.Paper, _ page: RecoveryPage = page()
    ) -> String {
        String(decoding: TestKeys.bytes(page.html(paper: paper)), as: UTF8.self)
    }

    private static func count(_ words: String, in text: String) -> Int {
        text.components(separatedBy: words).count - 1
    }

    static let facts = [
        "a1b2c3d4e5f6", lock, "86cf 0cc6 f08d ccf0", "2026-12-01", "sgit-vault 0.1.0",
    ]

    // MARK: - Text

    @Test(arguments: [nil, QRCode.Surface.paper, .terminal])
    func theCodeStandsOnceInTheText(_ surface: QRCode.Surface?) {
        #expect(Self.count(QRCodeTests.text, in: Self.text(surface)) == 1)
        for group in Self.groups { #expect(Self.count(group, in: Self.text(surface)) == 1) }
    }

    @Test func noLineOfTheTextIsTooLong() {
        let longest = Self.page(vaultID: String(repeating: "z", count: 24))
        for line in Self.text(.paper, longest).split(separator: "\n") {
            #expect(line.unicodeScalars.count <= RecoveryPage.columns, "\(line)")
        }
    }

    @Test func theTextIsASCIIButForThePicture() {
        #expect(Self.text(nil).utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(!Self.text(.paper).utf8.contains(0x1B))
        #expect(Self.count("\u{1B}[0m", in: Self.text(.terminal)) == 19)
    }

    @Test func theTextHoldsEveryFact() {
        for fact in Self.facts { #expect(Self.text(nil).contains(fact), "\(fact)") }
    }

    // MARK: - HTML

    @Test(arguments: [RecoveryPage.Paper.a4, .letter])
    func thePageHoldsEveryFactAndEachGroupOnce(_ paper: RecoveryPage.Paper) {
        let html = Self.html(paper)
        for fact in Self.facts { #expect(html.contains(fact), "\(fact)") }
        for group in Self.groups { #expect(Self.count(">\(group)</b>", in: html) == 1) }
        #expect(Self.count("<svg ", in: html) == 1)
    }

    @Test(arguments: [RecoveryPage.Paper.a4, .letter])
    func thePageAsksForNothing(_ paper: RecoveryPage.Paper) {
        let html = Self.html(paper).lowercased()
        for reference in [
            "://", "<script", "javascript", "<link", "<img", "<iframe", "<object", "<base",
            "<form", " href", " src", "srcset", "url(", "@import", "@font-face", "http-equiv=\"r",
            "xmlns", " onload", " onclick", " onerror",
        ] {
            #expect(!html.contains(reference), "\(reference)")
        }
        #expect(html.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        #expect(html.contains("name=\"referrer\" content=\"no-referrer\""))
        #expect(html.contains("noindex"))
    }

    @Test func eachPaperHasItsSize() {
        #expect(Self.html(.a4).contains("@page { size: A4; margin: 0 }"))
        #expect(Self.html(.letter).contains("@page { size: letter; margin: 0 }"))
        #expect(Self.html(.a4).contains("--height: 297mm"))
        #expect(Self.html(.letter).contains("--height: 11in"))
    }

    @Test func whatHasAMeaningInHTMLIsEscaped() {
        let html = Self.html(.a4, Self.page(vaultID: "<b>&\"'", program: "</dd><script>x"))
        #expect(html.contains("&lt;b&gt;&amp;&quot;&#39;"))
        #expect(html.contains("&lt;/dd&gt;&lt;script&gt;x"))
        #expect(!html.contains("<script"))
        #expect(!html.contains("<b>&"))
    }

    @Test func theCodeIsNotInTheTitle() {
        let html = Self.html(.a4)
        #expect(html.contains("<title>Recovery code</title>"))
    }

    // MARK: - Both

    @Test func bothHaveTheSameCommandsAndWords() {
        let text = Self.text(nil)
        let html = Self.html(.letter).components(separatedBy: "&quot;").joined(separator: "\"")
            .components(separatedBy: "&gt;").joined(separator: ">")
        for command in [
            "sgit-vault recover FILE", "FILE=my.sgvault", "grep \(Self.lock) >lock",
            "umask 077; cat >typed", "sgit-unpack \"$FILE\" --secret-file code -d out",
            "sgit-unwrap-key --lock lock --secret-file code --exec sh", "man 7 sgit-recovery",
            "Kept at:", "Opened last:",
        ] {
            #expect(text.contains(command), "\(command)")
            #expect(html.contains(command), "\(command)")
        }
    }

    /// The command for a person comes before those of the plumbing.
    @Test func thePorcelainComesFirst() throws {
        for page in [Self.text(nil), Self.html(.a4)] {
            let recover = try #require(page.firstRange(of: "sgit-vault recover FILE"))
            let unpack = try #require(page.firstRange(of: "sgit-unpack"))
            #expect(recover.lowerBound < unpack.lowerBound)
        }
    }

    @Test func aPageIsTheSameEachTime() {
        #expect(Self.html(.a4) == Self.html(.a4))
        #expect(Self.text(.terminal) == Self.text(.terminal))
    }
}
