package import SecretMemory

/// The sheet of paper that opens a vault when all else is lost.
///
/// It holds the code and what a person needs to use it. It names no file and no machine: who finds the paper does not
/// learn where the vault is.
package struct RecoveryPage {
    let code: SecretBytes
    let qrCode: QRCode
    let vaultID: String
    let lockID: String
    let fingerprint: String
    let date: String
    let program: String

    /// Characters of a code as it is shown: seven groups of four, hyphens between them.
    package static let codeLength = 34

    /// - Parameters:
    ///   - code: as `RecoveryCode.text` has it.
    ///   - lockID: 16 hexadecimal digits; it stands in a command on the page.
    ///   - fingerprint: as it is shown when the file is opened: `86cf 0cc6 f08d ccf0`.
    ///   - date: `YYYY-MM-DD`.
    ///   - program: the name and version of what made the page: `sgit-vault 0.1.0`.
    package init(
        code: SecretBytes, vaultID: String, lockID: String, fingerprint: String, date: String,
        program: String
    ) {
        precondition(code.count == RecoveryPage.codeLength)
        self.code = code
        qrCode = QRCode(code)
        self.vaultID = vaultID
        self.lockID = lockID
        self.fingerprint = fingerprint
        self.date = date
        self.program = program
    }

    /// Characters of a group, and groups.
    static let groupLength = 4
    static let groupCount = 7

    /// Writes one of the seven groups.
    func writeGroup(_ index: Int, into text: inout SecretText) {
        let start = index * (RecoveryPage.groupLength + 1)
        code.withBytes { code in
            for byte in code[start..<(start + RecoveryPage.groupLength)] { text.write(byte) }
        }
    }

    /// What is said of the page, by name.
    var facts: [(name: String, value: String)] {
        [
            ("Vault", vaultID), ("Lock", lockID), ("Fingerprint", fingerprint),
            ("Made by", program),
        ]
    }
}

/// The sentences of the page, the same in every form of it.
enum RecoveryWords {
    static let title = "Recovery code"
    static let power =
        "With this code and the vault file anyone can open the vault: whoever has both has everything in it. "
        + "This paper alone, without the file, is worth nothing, so keep the two apart."
    static let alphabet =
        "There is no O, I, L or U; O is 0, I and L are 1. Hyphens, spaces and small letters do not matter when you type it."
    static let counting = "The small figures count the characters."
    static let opening = "To open the vault"
    static let porcelain = "sgit-vault recover FILE"
    static let porcelainNote =
        "It asks for the code, mends one slip in it, and shows the fingerprint: it must be the one above."
    static let plumbing = "Without sgit-vault, in four steps with the other tools, in a new folder:"
    static let oneFile = "One file, byte for byte"
    static let cleaning = "At the end, out of that shell"
    static let otherMachine =
        "For a machine without these tools: man 7 sgit-recovery has a script that needs only Python."
    static let keptAt = "Kept at"
    static let openedLast = "Opened last"
    /// How often that can be filled in.
    static let openings = 3
}
