import PrintedPages
import SecretMemory
import TestSupport
import Testing

@Suite struct QRCodeTests {
    static let text = "VTPV-XVR0-24H3-6H2N-CSVR-H6DA-QCNT"
    private let code = QRCode(TestKeys.secret(text))

    private func lines(_ text: SecretBytes) -> [String] {
        String(decoding: TestKeys.bytes(text), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    /// Whether a pattern that shows where the square lies stands with its corner at a place.
    private func hasFinder(row: Int, column: Int) -> Bool {
        (-1...7).allSatisfy { down in
            (-1...7).allSatisfy { right in
                // From the middle outwards: 3 × 3 dark, a light ring, a dark ring, a light ring.
                let ring = max(abs(down - 3), abs(right - 3))
                return code.isDark(row: row + down, column: column + right)
                    == (ring != 2 && ring != 4)
            }
        }
    }

    @Test func isASquareOfVersionThree() {
        #expect(code.side == 29)
    }

    @Test func hasThreeFindersAndNoFourth() {
        #expect(hasFinder(row: 0, column: 0))
        #expect(hasFinder(row: 0, column: 22))
        #expect(hasFinder(row: 22, column: 0))
        #expect(!hasFinder(row: 22, column: 22))
    }

    @Test func hasTheTimingPatterns() {
        for place in 8..<21 {
            #expect(code.isDark(row: 6, column: place) == place.isMultiple(of: 2))
            #expect(code.isDark(row: place, column: 6) == place.isMultiple(of: 2))
        }
    }

    /// The two bits of the level, masked, stand first in the row below the first finder: 10 is H, and 10 ^ 10 is 00.
    @Test func mendsTheMostThatFits() {
        #expect(!code.isDark(row: 8, column: 0))
        #expect(!code.isDark(row: 8, column: 1))
    }

    @Test func nothingIsDarkOutside() {
        for place in -5..<35 {
            #expect(!code.isDark(row: -1, column: place))
            #expect(!code.isDark(row: place, column: 29))
            #expect(!code.isDark(row: 29, column: place))
            #expect(!code.isDark(row: place, column: -1))
        }
    }

    @Test func anotherCodeIsAnotherSquare() {
        let other = QRCode(TestKeys.secret("000G-40R4-0M30-E209-185G-R38E-1W9D"))
        #expect(other.side == code.side)
        #expect(TestKeys.bytes(other.terminalText) != TestKeys.bytes(code.terminalText))
    }

    @Test func theTerminalTextSaysItsColoursOnEachLine() {
        let lines = lines(code.terminalText)
        #expect(lines.count == 19)
        for line in lines {
            #expect(line.hasPrefix("\u{1B}[30;107m"))
            #expect(line.hasSuffix("\u{1B}[0m"))
            #expect(line.unicodeScalars.count == 37 + 9 + 4)
        }
    }

    @Test func halfBlocksShowEachModuleWithAQuietZone() {
        for (number, line) in lines(code.terminalText).enumerated() {
            let blocks = Array(line.unicodeScalars.dropFirst(9).dropLast(4))
            for (place, block) in blocks.enumerated() {
                let row = 2 * number - 4
                let column = place - 4
                let upper = "█▀".unicodeScalars.contains(block)
                let lower = "█▄".unicodeScalars.contains(block)
                #expect(upper == code.isDark(row: row, column: column))
                #expect(lower == code.isDark(row: row + 1, column: column))
                #expect("█▀▄ ".unicodeScalars.contains(block))
            }
        }
    }

    @Test func thePictureIsOnePathThatCoversTheSameModules() throws {
        let svg = String(decoding: TestKeys.bytes(code.svg), as: UTF8.self)
        #expect(svg.hasPrefix("<svg viewBox=\"0 0 37 37\" shape-rendering=\"crispEdges\""))
        #expect(svg.components(separatedBy: "<path").count == 2)
        let path = try #require(svg.components(separatedBy: " d=\"").last).prefix { $0 != "\"" }
        var dark: Set<[Int]> = []
        for bar in path.split(separator: "M") {
            // "x y" h "n" v1h-n z
            let numbers = bar.split { !"0123456789".contains($0) }.compactMap { Int($0) }
            try #require(numbers.count == 5 && numbers[3] == 1 && numbers[2] == numbers[4])
            for x in 0..<numbers[2] { dark.insert([numbers[1] - 4, numbers[0] + x - 4]) }
        }
        for row in 0..<29 {
            for column in 0..<29 {
                let wasDrawn = dark.remove([row, column]) != nil
                #expect(wasDrawn == code.isDark(row: row, column: column))
            }
        }
        #expect(dark.isEmpty)
    }
}

extension String {
    /// What stands between the places where `separator` is.
    func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let found = rest.firstRange(of: separator) {
            parts.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return parts + [rest]
    }
}
