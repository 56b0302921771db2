// swift-tools-version: 6.2
import PackageDescription

// The fuzz targets, in a package of their own: every module of theirs is built with the sanitizers,
// and programs without a `main` would break a plain build of the package above.
//
// What they test has `package` access, which ends where a package ends. So this package compiles the
// library's sources itself, through `Library`, a link to ../Sources: SwiftPM wants the path of a target
// below its package and looks no further than the name.

/// The settings of the package above, so that the same sources mean the same.
let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

let systemLibraries = ["CArchive", "CLinux", "COpenSSL", "CSodium", "CUtf8proc", "CZlib"]

func names(_ list: [String]) -> [Target.Dependency] {
    list.map { .byName(name: $0) }
}

/// Bottom-up: each may import all that stand before it, and the package above says which it does.
let concepts = [
    "SecretMemory", "Encodings", "Cryptography", "FileSystem", "CommandInterface", "VaultKeys",
    "Objects", "History", "Store", "Locks", "VaultFile", "Devices", "Secrets", "ForeignArchives",
]

let fuzzTargets = [
    "json", "envelope", "tree", "commit", "index", "key", "name", "ref", "record", "lock", "code",
    "archive", "members", "zip", "header", "secret", "device",
]

let library: [Target] =
    systemLibraries.map { .systemLibrary(name: $0, path: "Library/\($0)") }
    + concepts.enumerated().map { index, concept in
        .target(
            name: concept, dependencies: names(systemLibraries + concepts[..<index]),
            path: "Library/Plumbing/\(concept)", swiftSettings: swift)
    } + [
        .target(
            name: "Plumbing", dependencies: names(concepts), path: "Library/Plumbing",
            exclude: concepts + ["Merging", "PrintedPages", "Unlocking"],
            swiftSettings: swift)
    ]

let harness: [Target] = [
    .systemLibrary(name: "CPrompt", path: "CPrompt"),
    .target(
        name: "Harness", dependencies: names(concepts + ["CPrompt"]), path: "Harness",
        swiftSettings: swift),
]

let programs: [Target] = fuzzTargets.map { target in
    .executableTarget(
        name: "fuzz-\(target)", dependencies: names(concepts + ["Plumbing", "Harness"]),
        path: "Targets/\(target)",
        swiftSettings: swift + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(name: "sgit-tools-fuzz", targets: library + harness + programs)
