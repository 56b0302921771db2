/// What differs between two texts, line by line, in the unified form that `patch` reads.
package struct LineDifference {
    /// How many lines that are equal are shown around a difference.
    private static let context = 3
    /// Beyond so many lines on one side, those common at the ends left aside, all are shown as changed.
    ///
    /// Finding what differs takes memory of the square of its length.
    private static let longestSearch = 2000

    private let old: [ArraySlice<UInt8>]
    private let new: [ArraySlice<UInt8>]

    package init(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) {
        self.old = LineDifference.lines(old)
        self.new = LineDifference.lines(new)
    }

    /// The hunks, without the two lines that name the files; empty where nothing differs.
    package func unified() -> [UInt8] {
        let script = script()
        var text: [UInt8] = []
        for range in hunks(of: script) { text += hunk(script, range) }
        return text
    }

    // MARK: -

    private enum Step {
        case keep(old: Int, new: Int)
        case remove(old: Int)
        case add(new: Int)
    }

    /// Lines with their line feeds; the last may lack it.
    private static func lines(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = text
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }

    /// How the old lines become the new ones: removals before additions.
    private func script() -> [Step] {
        var start = 0
        while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
        var tail = 0
        while tail < min(old.count, new.count) - start,
            old[old.count - 1 - tail] == new[new.count - 1 - tail]
        { tail += 1 }
        let oldMiddle = start..<old.count - tail
        let newMiddle = start..<new.count - tail

        var removed = Set<Int>()
        var added = Set<Int>()
        if max(oldMiddle.count, newMiddle.count) > LineDifference.longestSearch {
            removed.formUnion(oldMiddle)
            added.formUnion(newMiddle)
        } else {
            let difference = Array(new[newMiddle]).difference(from: Array(old[oldMiddle]))
            for change in difference {
                switch change {
                case .remove(let offset, _, _): removed.insert(start + offset)
                case .insert(let offset, _, _): added.insert(start + offset)
                }
            }
        }
        var steps: [Step] = []
        var (oldLine, newLine) = (0, 0)
        while oldLine < old.count || newLine < new.count {
            if oldLine < old.count, removed.contains(oldLine) {
                steps.append(.remove(old: oldLine))
                oldLine += 1
            } else if newLine < new.count, added.contains(newLine) {
                steps.append(.add(new: newLine))
                newLine += 1
            } else {
                steps.append(.keep(old: oldLine, new: newLine))
                oldLine += 1
                newLine += 1
            }
        }
        return steps
    }

    /// The ranges of the script that hold a change and its surroundings.
    private func hunks(of script: [Step]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for (place, step) in script.enumerated() {
            if case .keep = step { continue }
            let start = max(0, place - LineDifference.context)
            let end = min(script.count, place + LineDifference.context + 1)
            if let last = ranges.last, last.upperBound >= start {
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(start..<end)
            }
        }
        return ranges
    }

    private func hunk(_ script: [Step], _ range: Range<Int>) -> [UInt8] {
        var lines: [UInt8] = []
        var counts = (old: 0, new: 0)
        for step in script[range] {
            switch step {
            case .keep(let line, _):
                lines += shown(UInt8(ascii: " "), old[line])
                counts.old += 1
                counts.new += 1
            case .remove(let line):
                lines += shown(UInt8(ascii: "-"), old[line])
                counts.old += 1
            case .add(let line):
                lines += shown(UInt8(ascii: "+"), new[line])
                counts.new += 1
            }
        }
        var before = (old: 0, new: 0)
        for step in script[..<range.lowerBound] {
            switch step {
            case .keep:
                before.old += 1
                before.new += 1
            case .remove: before.old += 1
            case .add: before.new += 1
            }
        }
        let heading =
            "@@ -\(place(before.old, counts.old)) +\(place(before.new, counts.new)) @@\n"
        return Array(heading.utf8) + lines
    }

    /// `start,count`, where the start of nothing is the line before it.
    private func place(_ before: Int, _ count: Int) -> String {
        let start = count == 0 ? before : before + 1
        return count == 1 ? "\(start)" : "\(start),\(count)"
    }

    private func shown(_ mark: UInt8, _ line: ArraySlice<UInt8>) -> [UInt8] {
        let text = [mark] + line
        if text.last == 0x0A { return text }
        return text + "\n\\ No newline at end of file\n".utf8
    }
}
