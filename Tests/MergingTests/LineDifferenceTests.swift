import Merging
import TestSupport
import Testing

@Suite struct LineDifferenceTests {
    private static func unified(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
        LineDifference(old[...], new[...]).unified()
    }

    private static func unified(_ old: String, _ new: String) -> String {
        String(decoding: unified(Array(old.utf8), Array(new.utf8)), as: UTF8.self)
    }

    /// The numbers of a range, a line each, some of them changed.
    private static func numbers(_ range: ClosedRange<Int>, changed: Int...) -> String {
        range.map { changed.contains($0) ? "x\($0)\n" : "\($0)\n" }.joined()
    }

    // MARK: - The form

    @Test(arguments: [
        ("a\n", "", "@@ -1 +0,0 @@\n-a\n"), ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
        ("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
        ("a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"),
        (
            "a", "b",
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        ),
        ("a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"),
        ("a\nb\nc", "a\nB\nc", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n\\ No newline at end of file\n"),
        (
            numbers(1...6), numbers(2...7),
            "@@ -1,6 +1,6 @@\n-1\n 2\n 3\n 4\n 5\n 6\n+7\n"
        ),
        ("\n\n\n", "\n\n", "@@ -1,3 +1,2 @@\n \n \n-\n"),
        ("a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"),
    ])
    func writesTheHunksThatDiffWrites(old: String, new: String, expected: String) {
        #expect(Self.unified(old, new) == expected)
    }

    @Test func joinsChangesOfWhichTheSurroundingsMeet() {
        // Six equal lines between two changes.
        let text = Self.unified(Self.numbers(1...20), Self.numbers(1...20, changed: 5, 12))
        #expect(
            text == "@@ -2,14 +2,14 @@\n 2\n 3\n 4\n-5\n+x5\n 6\n 7\n 8\n 9\n 10\n 11\n"
                + "-12\n+x12\n 13\n 14\n 15\n")
    }

    @Test func partsChangesThatLieFurtherApart() {
        // Seven equal lines between two changes.
        let text = Self.unified(Self.numbers(1...20), Self.numbers(1...20, changed: 5, 13))
        #expect(
            text == "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x5\n 6\n 7\n 8\n"
                + "@@ -10,7 +10,7 @@\n 10\n 11\n 12\n-13\n+x13\n 14\n 15\n 16\n")
    }

    @Test(arguments: ["", "a", "a\n", "a\nb", "\n\n", "\0\n"])
    func saysNothingOfEqualTexts(text: String) {
        #expect(Self.unified(text, text).isEmpty)
    }

    @Test func readsSlicesWhereverTheyLie() {
        let old = Array("..a\nb\n..".utf8)[2..<6]
        let new = Array("a\nc\n.".utf8)[..<4]
        let text = String(decoding: LineDifference(old, new).unified(), as: UTF8.self)
        #expect(text == "@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
    }

    @Test func keepsBytesThatAreNoText() {
        #expect(
            Self.unified([0xFF, 0x0A], [0xFE, 0x0A])
                == Array("@@ -1 +1 @@\n".utf8) + [0x2D, 0xFF, 0x0A, 0x2B, 0xFE, 0x0A])
    }

    // MARK: - Random texts, with the hunks applied

    private enum PatchFailure: Error {
        case heading(String)
        case lines(String)
    }

    /// Lines with their line feeds; the last may lack it.
    private static func lines(_ text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for byte in text {
            line.append(byte)
            guard byte == 0x0A else { continue }
            lines.append(line)
            line = []
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// `start,count` as the place of the first line and their number.
    private static func place(_ text: Substring) throws -> (start: Int, count: Int) {
        let parts = text.dropFirst().split(separator: ",")
        guard let start = Int(parts[0]), let count = parts.count > 1 ? Int(parts[1]) : 1 else {
            throw PatchFailure.heading(String(text))
        }
        return (count == 0 ? start : start - 1, count)
    }

    /// What the hunks make of a text, each checked against it.
    private static func apply(_ hunks: [UInt8], to old: [UInt8]) throws -> [UInt8] {
        let oldLines = lines(old)
        var result: [[UInt8]] = []
        var next = 0
        var rest = lines(hunks)[...]
        while let heading = rest.popFirst() {
            let text = String(decoding: heading, as: UTF8.self)
            let words = text.split(separator: " ")
            guard words.count == 4, words[0] == "@@", words[3] == "@@\n" else {
                throw PatchFailure.heading(text)
            }
            let (from, to) = (try place(words[1]), try place(words[2]))
            guard from.start >= next, from.start <= oldLines.count else {
                throw PatchFailure.heading(text)
            }
            result += oldLines[next..<from.start]
            next = from.start
            guard result.count == to.start else { throw PatchFailure.heading(text) }
            var counts = (old: 0, new: 0)
            while counts.old < from.count || counts.new < to.count {
                guard let marked = rest.popFirst(), let mark = marked.first else {
                    throw PatchFailure.lines(text)
                }
                var line = Array(marked.dropFirst())
                if rest.first?.first == UInt8(ascii: "\\") {
                    rest = rest.dropFirst()
                    line.removeLast()
                }
                if mark != UInt8(ascii: "+") {
                    guard next < oldLines.count, oldLines[next] == line else {
                        throw PatchFailure.lines(text)
                    }
                    next += 1
                    counts.old += 1
                }
                if mark != UInt8(ascii: "-") {
                    result.append(line)
                    counts.new += 1
                }
                guard [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: " ")].contains(mark)
                else { throw PatchFailure.lines(text) }
            }
            guard counts == (from.count, to.count) else { throw PatchFailure.lines(text) }
        }
        return Array((result + oldLines[next...]).joined())
    }

    private static func text(_ numbers: inout SeededNumbers, _ count: Int) -> [UInt8] {
        var text = (0..<numbers.below(count)).flatMap { _ in
            Array(["a\n", "b\n", "c\n", "\n", "- a\n", "@@ -1 +1 @@\n"][numbers.below(6)].utf8)
        }
        if numbers.below(3) == 0 { text += Array("end".utf8) }
        return text
    }

    @Test func turnsEveryRandomTextIntoTheOther() throws {
        var numbers = SeededNumbers()
        for _ in 0..<800 {
            let (old, new) = (Self.text(&numbers, 30), Self.text(&numbers, 30))
            let hunks = Self.unified(old, new)
            #expect(try Self.apply(hunks, to: old) == new, "seed \(numbers.seed)")
        }
    }

    @Test func turnsATextOfFewChangesIntoTheOther() throws {
        var numbers = SeededNumbers()
        for _ in 0..<100 {
            let old = (0..<150).map { Array("\($0 % 40)\n".utf8) }
            var new = old
            for _ in 0..<numbers.below(6) {
                let place = numbers.below(new.count)
                switch numbers.below(3) {
                case 0: new.remove(at: place)
                case 1: new.insert(Array("new\n".utf8), at: place)
                default: new[place] = Array("other\n".utf8)
                }
            }
            let (oldText, newText) = (Array(old.joined()), Array(new.joined()))
            let hunks = Self.unified(oldText, newText)
            #expect(try Self.apply(hunks, to: oldText) == newText, "seed \(numbers.seed)")
            // Six changes of at most two lines, with three around each.
            #expect(Self.lines(hunks).count <= 6 * (2 + 6 + 1), "seed \(numbers.seed)")
        }
    }

    // MARK: - The bound of the search

    /// Lines of which the first and the last differ between the two, and none in the middle.
    private static func pair(_ count: Int) -> (old: String, new: String) {
        let middle = numbers(1...(count - 2))
        return ("old first\n\(middle)old last\n", "new first\n\(middle)new last\n")
    }

    @Test func searchesUpToItsBound() throws {
        let (old, new) = Self.pair(2000)
        let hunks = Self.unified(old, new)
        #expect(hunks.split(separator: "\n").count == 2 * (1 + 2 + 3))
        #expect(try Self.apply(Array(hunks.utf8), to: Array(old.utf8)) == Array(new.utf8))
    }

    @Test func showsAllAsChangedBeyondItsBound() throws {
        let (old, new) = Self.pair(2001)
        let hunks = Self.unified(old, new)
        #expect(hunks.hasPrefix("@@ -1,2001 +1,2001 @@\n-old first\n-1\n-2\n"))
        #expect(hunks.split(separator: "\n").count == 1 + 2 * 2001)
        #expect(try Self.apply(Array(hunks.utf8), to: Array(old.utf8)) == Array(new.utf8))
    }

    @Test func countsNoEqualLinesAtTheEndsAgainstItsBound() {
        let (head, tail) = (Self.numbers(1...3000), Self.numbers(5000...8000))
        let hunks = Self.unified(head + "a\nb\nc\n" + tail, head + "a\nB\nc\n" + tail)
        #expect(
            hunks == "@@ -2999,7 +2999,7 @@\n 2999\n 3000\n a\n-b\n+B\n c\n 5000\n 5001\n")
    }
}
