// The words and the exit status of every error below the tools; those about keys are in KeyErrorReport.swift. Nothing
// else turns an error into words.

package import CommandInterface
import Encodings
package import FileSystem
package import Objects
package import Store

extension FileError: Reportable {
    package var report: Report {
        switch self {
        case .notFound(let path): Report("cannot open '\(path)': it is not there", status: .missing)
        case .notRegular(let path):
            Report("cannot read '\(path)': it is no regular file", status: .failure)
        case .tooLarge(let path, let size, let limit):
            Report("cannot read '\(path)': \(size) bytes are more than \(limit)", status: .failure)
        case .held(let path):
            Report(
                "another program holds '\(path)', and did not let go for \(DirectoryHold.patience) seconds",
                status: .failure)
        case .system(let operation, let path, let code):
            Report("cannot \(operation) '\(path)': \(FileError.words(code))", status: .failure)
        }
    }
}

extension StoreOptionsError: Reportable {
    package var report: Report {
        switch self {
        case .noStore(let path):
            Report(
                "'\(path)' is no store",
                hint: "a store is a 'bare' folder with 'data' or 'refs' in it, or holds one",
                status: .failure)
        case .noStoreHere:
            Report(
                "there is no store here: no '.sg_vault/bare' upward and no './bare'",
                hint:
                    "name one with --store or $SGIT_STORE; a store is a 'bare' folder with 'data' or 'refs' in it",
                status: .failure)
        case .packs(let path):
            Report(
                "the store '\(path)' keeps its objects in packs, which this release does not read",
                status: .notAllowed)
        }
    }
}

extension StoreError: Reportable {
    package var report: Report {
        switch self {
        case .missing(let id): Report("there is no object '\(id.text)'", status: .missing)
        case .nameMismatch(let id):
            Report(
                "'\(id.text)' is damaged: its bytes hash to another name",
                hint: "bring the file back from another copy of the store", status: .damaged)
        case .keyDoesNotFit(let subject):
            Report("cannot open '\(subject)': the read key does not fit", status: .wrongKey)
        case .damaged(let subject, let reason):
            Report("'\(subject)' is damaged: \(StoreError.words(reason))", status: .damaged)
        case .tooLarge(let subject, let limit):
            Report("'\(subject)' is refused: it holds more than \(limit) bytes", status: .damaged)
        case .foreignKey:
            Report(
                "the key does not fit: it is of another vault, or its passphrase is another",
                status: .wrongKey)
        case .noIndex: Report("the store has no branch index", status: .missing)
        case .emptyStore: Report("the store has no refs and no branch index", status: .missing)
        case .needsClient(let version):
            Report(
                "the vault asks for a client of version '\(version)' or newer",
                hint: "this release answers for 0.26.0", status: .notAllowed)
        case .needsFormat(let format):
            Report(
                "the vault has format \(format), and this release writes 1 and 2",
                status: .notAllowed)
        case .nameTaken(let id):
            Report(
                "'\(id.text)' is there and holds other bytes: nothing is written over it",
                hint: "where it is damaged, bring it back from another copy of the store",
                status: .damaged)
        case .refMoved(let ref, let expected, let found):
            Report(
                "the ref '\(ref)' holds \(StoreError.words(found)), where \(StoreError.words(expected)) was expected",
                hint: "read it, bring the two together, and try again", status: .moved)
        case .noKey(let id): Report("the store has no public key '\(id)'", status: .missing)
        case .noPublicKey(let source):
            Report(
                "'\(source)' holds no P-256 public key in PEM",
                hint: "openssl pkey -in KEY -pubout prints the one of a private key",
                status: .failure)
        case .editRefused(let reason): Report(reason, status: .notAllowed)
        case .branchExists(let name):
            Report("there is a named branch \(quoted(name)) already", status: .failure)
        case .tagNotVerified(let name, .noKey, let key):
            Report(
                "the tag '\(name)' is not verified: its key '\(key)' is not there", status: .missing
            )
        case .tagNotVerified(let name, let verdict, _):
            Report("the tag '\(name)' is not verified: \(verdict.rawValue)", status: .damaged)
        }
    }

    private static func words(_ head: ObjectID?) -> String {
        head.map { "'\($0.text)'" } ?? "no commit"
    }

    /// What is wrong inside a file whose place is known.
    fileprivate static func words(_ reason: any Error) -> String {
        switch reason {
        case let error as EnvelopeError: words(error)
        case DocumentError.badMember(let name): "its '\(name)' has a bad form"
        case DocumentError.missingMember(let name): "its '\(name)' is absent"
        case DocumentError.sealedMember(let name, let error): "its '\(name)': \(words(error))"
        case JSONError.malformed(let offset): "no JSON at byte \(offset)"
        case JSONError.tooDeep(let offset): "nested too deep at byte \(offset)"
        case JSONError.tooManyValues(let offset): "too many values at byte \(offset)"
        case FileError.notRegular: "it is no regular file"
        case StoreError.nameMismatch: "its bytes hash to another name"
        case StoreError.damaged(_, let reason): words(reason)
        case StoreError.tooLarge(_, let limit): "it holds more than \(limit) bytes"
        default: (reason as? any Reportable)?.report.message ?? "\(reason)"
        }
    }

    private static func words(_ error: EnvelopeError) -> String {
        switch error {
        case .truncated: "it is cut short"
        case .notAuthentic: "its seal does not fit"
        case .badDeflate: "what it holds does not inflate"
        case .tooLarge(let limit): "it holds more than \(limit) bytes"
        case .badField: "it is no sealed field"
        }
    }
}

extension UnionError: Reportable {
    package var report: Report {
        switch self {
        case .damagedCopy(let name, let source, let reason):
            Report(
                "'\(name.text)' in '\(source)' is damaged: \(StoreError.words(reason))",
                status: .damaged)
        case .noSoundCopy(let name):
            Report(
                "no copy of '\(name.text)' is sound",
                hint: "bring it back from another copy of the store", status: .damaged)
        case .copiesDiffer(let name, let one, let other):
            Report(
                "'\(name.text)' in '\(one)' and in '\(other)' differ, and each is sound: nothing is changed",
                status: .damaged)
        case .changed(let name, let source):
            Report(
                "'\(name.text)' in '\(source)' changed meanwhile", hint: "try again",
                status: .moved)
        }
    }
}

extension TreeWalkError: Reportable {
    package var report: Report {
        switch self {
        case .cycle(let id):
            Report("'\(id.text)' is damaged: the tree lies below itself", status: .damaged)
        case .tooDeep(let limit):
            Report("the folders are nested more than \(limit) deep", status: .damaged)
        }
    }
}

extension RefCommandError: Reportable {
    package var report: Report {
        switch self {
        case .notForward(let ref, let head):
            Report(
                "the new commit does not descend from '\(head.text)', which '\(ref)' holds",
                hint: "to leave that behind, give it as the old value", status: .moved)
        case .repeatedRef(let ref):
            Report("the ref '\(ref)' stands twice in one transaction", status: .failure)
        case .malformed(let line):
            Report(
                "\(quoted(line)) is no command",
                hint:
                    "update REF NEW [OLD], create REF NEW, verify REF [OLD], start, prepare, commit, abort",
                status: .failure)
        case .noRef(let name):
            Report("no branch or ref is called \(quoted(name))", status: .missing)
        case .outOfPlace(let line):
            Report("\(quoted(line)) cannot stand here", status: .failure)
        }
    }
}

extension DocumentInputError: Reportable {
    package var report: Report {
        switch self {
        case .notOfKind(let kind, let source, let reason):
            Report(
                "'\(source)' is no \(kind.rawValue): \(StoreError.words(reason))", status: .failure)
        }
    }
}

extension TreeRecordError: Reportable {
    package var report: Report {
        switch self {
        case .malformed(let record):
            Report(
                "\(quoted(record)) is no entry of a tree",
                hint: "an entry is what sgit-ls-tree prints: kind, space, id, tab, name",
                status: .failure)
        case .badName(let name):
            Report(
                "\(quoted(name)) cannot be the name of an entry",
                hint: "a name is UTF-8, not '.' or '..', and holds no slash", status: .failure)
        case .longName(let name):
            Report(
                "the name \(quoted(name)) is longer than \(EnvelopeCipher.largestFieldText) bytes",
                status: .failure)
        case .protectedName(let name):
            Report(
                "\(quoted(name)) is a name that no working folder may hold", status: .failure)
        case .repeatedName(let name):
            Report("there are two entries of the name \(quoted(name))", status: .failure)
        case .noTree(let id): Report("'\(id.text)' is no tree", status: .failure)
        }
    }
}

extension TreeEditError: Reportable {
    package var report: Report {
        switch self {
        case .noSuchPath(let path):
            Report("there is no \(quoted(PrettyLayout.path(path)))", status: .missing)
        case .fileInTheWay(let path):
            Report("\(quoted(PrettyLayout.path(path))) is a file, not a folder", status: .failure)
        case .folderInTheWay(let path):
            Report("\(quoted(PrettyLayout.path(path))) is a folder", status: .failure)
        }
    }
}

extension ObjectNameError: Reportable {
    package var report: Report {
        switch self {
        case .unknown(let name): Report("nothing is called \(quoted(name))", status: .missing)
        case .ambiguous(let name, let candidates):
            Report(
                "\(quoted(name)) is ambiguous",
                hint: "it may be \(candidates.joined(separator: ", "))",
                status: .failure)
        case .wrongKind(let name, let expected):
            Report("\(quoted(name)) is no \(expected.rawValue)", status: .failure)
        case .noSuchParent(let name, let number):
            Report("\(quoted(name)): the commit has no parent \(number)", status: .missing)
        case .noRef(let branch):
            Report("the branch \(quoted(branch)) has no ref in this store", status: .missing)
        case .noSuchPath(let path, let name):
            Report("\(quoted(name)): there is no \(quoted(path)) in that tree", status: .missing)
        case .emptyBranch(let name):
            Report("the branch \(quoted(name)) has no commit", status: .missing)
        }
    }
}

extension InputError: Reportable {
    package var report: Report {
        switch self {
        case .recordTooLong:
            Report(
                "a line of standard input is longer than \(Input.maximumRecord) bytes",
                status: .failure)
        case .badPath(let line): Report("\(quoted(line)) is no path", status: .failure)
        case .system(let code):
            Report("cannot read standard input: \(FileError.words(code))", status: .failure)
        case .notReadable:
            Report(
                "standard input is closed, or is where the key came from",
                hint: "give the key on a descriptor of its own", status: .usage)
        }
    }
}

extension ChildProcessError: Reportable {
    package var report: Report {
        switch self {
        case .notStarted(let program, let code):
            Report("cannot run \(quoted(program)): \(FileError.words(code))", status: .failure)
        }
    }
}
