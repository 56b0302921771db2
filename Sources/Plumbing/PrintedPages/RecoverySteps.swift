/// One step to open the file with the plumbing alone.
struct RecoveryStep {
    let words: String
    /// As they are typed, one after the other.
    let commands: [String]
}

extension RecoveryPage {
    /// Four steps for one shell, with the secrets in files that only their owner can read.
    ///
    /// The first takes the lock of this page out of the file, and so shows whether the two belong together.
    var steps: [RecoveryStep] {
        [
            RecoveryStep(
                words: "Say where the file is; see whether this page is for it.",
                commands: [
                    "FILE=my.sgvault",
                    "sgit-unpack --locks \"$FILE\" | grep \(lockID) >lock &&",
                    "  echo 'This page is for this file.'",
                ]),
            RecoveryStep(
                words:
                    "Type the first line, the code, Enter, Ctrl-D; the second line mends one slip.",
                commands: [
                    "umask 077; cat >typed",
                    "sgit-recovery-code --check --lock lock --secret-file typed >code",
                ]),
            RecoveryStep(
                words: "Check every byte of the file, and unpack it.",
                commands: ["sgit-unpack \"$FILE\" --secret-file code -d out"]),
            RecoveryStep(
                words: "Start a shell that has the key; in it, list and print the files.",
                commands: [
                    "sgit-unwrap-key --lock lock --secret-file code --exec sh",
                    "export SGIT_STORE=out",
                    "sgit-ls-tree -r --name-only @",
                    "sgit-ls-tree -r --format '%(objectname) %(path)' @ |",
                    "  sgit-cat-object --batch --format '%(rest)'",
                ]),
        ]
    }

    /// For the shell of the last step.
    static let oneFile = "sgit-cat-object -p '@:NAME' >copy"
    /// For the shell of the others: leaves nothing behind that opens the vault.
    static let cleaning = "rm -r lock typed code out"
}
