// swift-tools-version: 6.2
import PackageDescription

// The map of the house, bottom-up. A concept may import what stands in its list, and nothing else;
// docs/architecture.md says why the lines run as they do.

/// Settings of every target: no Foundation, no implicit modules, warnings are errors.
let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// Settings of the targets under Sources, beside `swift`: two runtime libraries fewer to load.
let lean: [SwiftSetting] = [
    .unsafeFlags([
        "-Xfrontend", "-disable-implicit-concurrency-module-import",
        "-Xfrontend", "-disable-implicit-string-processing-module-import",
    ]),
    // The checks of overlapping access at run time are for the tests, which run in debug.
    // Each function is a section of its own, so that the linker can fold those that are the same; and a program is
    // all that there is of them, so that it can leave out those that nobody calls.
    .unsafeFlags(
        [
            "-enforce-exclusivity=unchecked", "-Xfrontend", "-function-sections",
            "-Xfrontend", "-internalize-at-link",
        ],
        .when(configuration: .release)),
]

let concepts: [(name: String, uses: [String])] = [
    ("SecretMemory", ["CLinux"]),
    ("Encodings", ["CZlib"]),
    ("Cryptography", ["SecretMemory", "COpenSSL"]),
    ("FileSystem", ["SecretMemory", "CLinux"]),
    ("CommandInterface", ["SecretMemory", "CLinux"]),
    ("VaultKeys", ["SecretMemory", "Encodings", "Cryptography"]),
    ("Objects", ["Encodings", "Cryptography", "VaultKeys"]),
    ("History", ["Objects"]),
    ("Merging", []),
    ("Store", ["Encodings", "Cryptography", "FileSystem", "VaultKeys", "Objects"]),
    ("Locks", ["SecretMemory", "Encodings", "Cryptography", "VaultKeys", "CSodium", "CUtf8proc"]),
    (
        "VaultFile",
        [
            "SecretMemory", "Encodings", "Cryptography", "FileSystem", "VaultKeys", "Objects",
            "Store", "Locks",
        ]
    ),
    (
        "Devices",
        [
            "SecretMemory", "Encodings", "Cryptography", "FileSystem", "VaultKeys", "Objects",
            "History", "Store", "Locks", "VaultFile",
        ]
    ),
    ("Secrets", ["SecretMemory", "Encodings", "Cryptography", "Objects"]),
    ("ForeignArchives", ["Encodings", "FileSystem", "CArchive"]),
    ("PrintedPages", ["SecretMemory", "CQrencode"]),
    (
        "Unlocking",
        [
            "SecretMemory", "Encodings", "Cryptography", "FileSystem", "CommandInterface",
            "VaultKeys", "Objects", "Store", "Locks", "VaultFile", "Plumbing",
        ]
    ),
]

/// One line a tool: all it may use.
let tools: [(name: String, uses: [String])] = [
    (
        "sgit-derive-keys",
        ["CommandInterface", "Encodings", "SecretMemory", "VaultKeys", "Plumbing"]
    ),
    (
        "sgit-cat-object",
        ["CommandInterface", "Cryptography", "Encodings", "Objects", "Store", "Plumbing"]
    ),
    (
        "sgit-hash-object",
        [
            "CommandInterface", "Cryptography", "Encodings", "FileSystem", "Objects", "Store",
            "Plumbing",
        ]
    ),
    (
        "sgit-mktree",
        ["CommandInterface", "Cryptography", "Encodings", "Objects", "Store", "Plumbing"]
    ),
    (
        "sgit-commit-tree",
        [
            "CommandInterface", "Cryptography", "Encodings", "FileSystem", "Objects", "Store",
            "Plumbing",
        ]
    ),
    (
        "sgit-update-ref",
        ["CommandInterface", "Encodings", "History", "Objects", "Store", "Plumbing"]
    ),
    ("sgit-ls-tree", ["CommandInterface", "Objects", "Plumbing"]),
    ("sgit-read-ref", ["CommandInterface", "Encodings", "Objects", "Store", "Plumbing"]),
    (
        "sgit-branch-index",
        [
            "CommandInterface", "Cryptography", "Encodings", "FileSystem", "Objects", "Store",
            "Plumbing",
        ]
    ),
    (
        "sgit-rev-list",
        ["CommandInterface", "Encodings", "History", "Objects", "Store", "Plumbing"]
    ),
    ("sgit-diff-tree", ["CommandInterface", "Encodings", "Objects", "Plumbing"]),
    (
        "sgit-vault",
        [
            "CommandInterface", "Cryptography", "Devices", "Encodings", "FileSystem", "History",
            "Locks", "Merging", "Objects", "SecretMemory", "Store", "VaultFile", "VaultKeys",
            "Plumbing", "PrintedPages", "Secrets", "Unlocking",
        ]
    ),
    ("sgit-verify-commit", ["CommandInterface", "Encodings", "Objects", "Store", "Plumbing"]),
    (
        "sgit-pack",
        [
            "CommandInterface", "Cryptography", "Encodings", "FileSystem", "History", "Locks",
            "Objects", "Store", "VaultFile", "VaultKeys", "Plumbing", "Unlocking",
        ]
    ),
    (
        "sgit-unpack",
        [
            "CommandInterface", "Encodings", "FileSystem", "Locks", "Objects", "VaultFile",
            "Plumbing", "Unlocking",
        ]
    ),
    (
        "sgit-union",
        ["CommandInterface", "FileSystem", "Store", "VaultFile", "Plumbing", "Unlocking"]
    ),
    (
        "sgit-wrap-key",
        [
            "CommandInterface", "Cryptography", "Locks", "Objects", "VaultKeys", "Plumbing",
            "Unlocking",
        ]
    ),
    (
        "sgit-unwrap-key",
        ["CommandInterface", "Locks", "SecretMemory", "VaultKeys", "Plumbing", "Unlocking"]
    ),
    (
        "sgit-recovery-code",
        ["CommandInterface", "Cryptography", "Locks", "SecretMemory", "Plumbing", "Unlocking"]
    ),
    (
        "sgit-read-archive",
        ["CommandInterface", "Encodings", "ForeignArchives", "Plumbing", "SecretMemory"]
    ),
]

/// The program that reads what others made stands apart, in libexec/sgit.
let libexec = ["sgit-read-archive"]

func names(_ list: [String]) -> [Target.Dependency] {
    list.map { .byName(name: $0) }
}

/// What computes little is built to be small: a plumbing tool has 1 MB.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
let computesLittle = [
    "CommandInterface", "Devices", "FileSystem", "ForeignArchives", "Locks", "PrintedPages",
    "Secrets", "Unlocking", "VaultFile", "VaultKeys",
]

let conceptTargets: [Target] = concepts.map { concept in
    .target(
        name: concept.name, dependencies: names(concept.uses),
        path: "Sources/Plumbing/\(concept.name)",
        swiftSettings: swift + lean + (computesLittle.contains(concept.name) ? small : []))
}

/// What a tool that works on a bare store does without.
let aboveTheStore = [
    "Merging", "Devices", "Locks", "VaultFile", "ForeignArchives", "PrintedPages", "Secrets",
    "Unlocking",
]

let plumbing = Target.target(
    name: "Plumbing",
    dependencies: names(concepts.map(\.name).filter { !aboveTheStore.contains($0) }),
    path: "Sources/Plumbing", exclude: concepts.map(\.name),
    swiftSettings: swift + lean + small)

/// The runtime libraries stand in lib/sgit beside bin/, never in the toolchain's own folder.
let linking: [LinkerSetting] = [
    .unsafeFlags([
        "-no-toolchain-stdlib-rpath", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib/sgit",
    ]),
    .unsafeFlags(["-Xlinker", "--icf=safe"], .when(configuration: .release)),
]

let linkingFromLibexec: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../../lib/sgit"])
]

let toolTargets: [Target] = tools.map { tool in
    .executableTarget(
        name: tool.name, dependencies: names(tool.uses),
        swiftSettings: swift + lean + (tool.uses.contains("Locks") ? small : []),
        linkerSettings: linking + (libexec.contains(tool.name) ? linkingFromLibexec : []))
}

/// Vectors, drawn graphs and objects in memory, for the tests alone.
let support = Target.target(
    name: "TestSupport",
    dependencies: names(["SecretMemory", "Encodings", "Cryptography", "VaultKeys", "Objects"]),
    path: "Tests/Support",
    swiftSettings: swift)

let testTargets: [Target] = (concepts.map(\.name) + ["Plumbing"]).map { name in
    .testTarget(
        name: "\(name)Tests",
        dependencies: names(concepts.map(\.name) + ["Plumbing", "TestSupport"]),
        swiftSettings: swift)
}

let package = Package(
    name: "sgit-tools",
    targets: [
        .systemLibrary(name: "CArchive"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CQrencode"),
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CUtf8proc"),
        .systemLibrary(name: "CZlib"),
    ] + conceptTargets + [plumbing] + toolTargets + [support] + testTargets
)
