package import SecretMemory

extension RecoveryPage {
    /// Columns of the page as text.
    package static let columns = 72

    /// The page as lines of at most `columns` columns.
    ///
    /// All of it is ASCII but the QR code, and the code stands in it once in letters.
    /// - Parameter surface: what the QR code is shown on; nil for none.
    package func text(qrCodeFor surface: QRCode.Surface?) -> SecretBytes {
        SecretText.make { text in
            let rule = String(repeating: "-", count: RecoveryPage.columns) + "\n"
            let gap = RecoveryPage.columns - RecoveryWords.title.utf8.count - date.utf8.count
            text.write(RecoveryWords.title + String(repeating: " ", count: max(1, gap)))
            text.write("\(date)\n\(rule)\n    ")
            text.write(code)
            text.write("\n\n")
            if let surface {
                qrCode.writeHalfBlocks(for: surface, into: &text)
                text.write("\n")
            }
            text.write(folded: RecoveryWords.alphabet)
            text.write("\n")
            text.write(folded: RecoveryWords.power)
            text.write("\n")
            for fact in facts {
                text.write(fact.name + String(repeating: " ", count: 14 - fact.name.utf8.count))
                text.write("\(fact.value)\n")
            }
            text.write("\n\(rule)\(RecoveryWords.opening):\n\n    \(RecoveryWords.porcelain)\n\n")
            text.write(folded: RecoveryWords.porcelainNote)
            text.write("\n\(RecoveryWords.plumbing)\n\n")
            writeSteps(into: &text)
            text.write("\(RecoveryWords.oneFile): \(RecoveryPage.oneFile)\n")
            text.write("\(RecoveryWords.cleaning): \(RecoveryPage.cleaning)\n\n")
            text.write(folded: RecoveryWords.otherMachine)
            text.write("\n\(rule)\n")
            for words in [RecoveryWords.keptAt, RecoveryWords.openedLast] {
                let label = "\(words): "
                let blank = RecoveryPage.columns - label.utf8.count
                text.write(label + String(repeating: "_", count: blank) + "\n\n")
            }
        }
    }

    private func writeSteps(into text: inout SecretText) {
        for (index, step) in steps.enumerated() {
            text.write(folded: step.words, first: "\(index + 1)  ", rest: "   ")
            for command in step.commands { text.write("      \(command)\n") }
            text.write("\n")
        }
    }
}

extension SecretText {
    /// Writes ASCII words in lines that end before the edge of the page.
    fileprivate mutating func write(folded words: String, first: String = "", rest: String = "") {
        var line = first
        var isEmpty = true
        for word in words.split(separator: " ") {
            if !isEmpty, line.utf8.count + 1 + word.utf8.count > RecoveryPage.columns {
                write(line + "\n")
                line = rest
                isEmpty = true
            }
            if !isEmpty { line += " " }
            line += word
            isEmpty = false
        }
        write(line + "\n")
    }
}
