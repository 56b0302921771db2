/// The one table of exit statuses of the suite; sgit-exit-codes(7) is its page.
package enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case no = 1
    case wrongKey = 3
    case damaged = 4
    case moved = 5
    case missing = 6
    case secretNeeded = 7
    case notAllowed = 8
    case failure = 128
    case usage = 129

    /// What the number says, for the manual.
    package var meaning: String {
        switch self {
        case .success: "done; yes; clean"
        case .no: "an honest no"
        case .wrongKey: "the key, code or passphrase does not fit"
        case .damaged: "damaged or altered: hash, seal, MAC or signature"
        case .moved: "the ref or file moved meanwhile, or the store went back in time"
        case .missing: "something is missing: an object, or a file not yet downloaded"
        case .secretNeeded: "a secret is needed and nobody is there to give it"
        case .notAllowed: "not allowed: policy, or the vault needs a newer tool"
        case .failure: "any other failure (files, system)"
        case .usage: "usage"
        }
    }
}

/// An error in the words of the suite.
package struct Report {
    /// What failed and on what, without capital or full stop: `cannot open 'x': the read key does not fit`.
    package var message: String
    /// The command that helps, where there is one.
    package var hint: String?
    package var status: ExitStatus

    package init(_ message: String, hint: String? = nil, status: ExitStatus) {
        self.message = message
        self.hint = hint
        self.status = status
    }
}

/// An error that knows its words; the conformances stand in one file, Plumbing/ErrorReport.swift.
package protocol Reportable: Error {
    var report: Report { get }
}
