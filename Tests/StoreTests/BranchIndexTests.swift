import Encodings
import Objects
import Store
import TestSupport
import Testing

private let branchID = "branch-named-0123456789abcdef"
private let refID = "ref-pid-muw-0123456789ab"
private let smallest =
    "\"branch_id\": \"\(branchID)\", \"name\": \"current\", \"head_ref_id\": \"\(refID)\""

@Suite struct BranchIndexTests {
    private static func decode(_ text: String) throws -> BranchIndex {
        try BranchIndex.decode(Array(text.utf8)[...])
    }

    private static func branch(_ members: String) throws -> BranchIndex.Branch {
        try #require(decode("{\"branches\": [{\(members)}]}").branches.first)
    }

    // MARK: - Branches

    @Test func readsTheSmallestIndex() throws {
        let branch = try Self.branch(smallest)
        #expect(branch.id == Array(branchID.utf8) && branch.ref == Array(refID.utf8))
        #expect(branch.name == Array("current".utf8) && branch.kind == .named)
        #expect(branch.key == nil && branch.creator == nil && branch.displayName == nil)
    }

    @Test func readsAnIndexOfNothing() throws {
        let index = try Self.decode("{}")
        #expect(index.branches.isEmpty && index.tags.isEmpty)
        #expect(index.gate == FormatGate(format: nil, minimumClient: nil, features: []))
    }

    @Test(arguments: [
        "", "[]", "null", "1", "{\"branches\": {}}", "{\"tags\": 1}", "{\"features\": [1]}",
        "{\"features\": \"x\"}", "{\"min_client\": 1}", "{\"schema\": \"X\"}",
        "{\"branches\": [1]}", "{} x",
    ])
    func refusesWhatIsNoIndex(text: String) {
        #expect(throws: (any Error).self) { try Self.decode(text) }
    }

    @Test(arguments: [
        "\"branch_id\": \"x\"", "\"branch_id\": null",
        "\"branch_id\": \"branch-other-0123456789abcdef\"",
        "\"branch_id\": 1", "\"name\": \"\"", "\"name\": \"a b\"", "\"name\": \"a/b\"",
        "\"name\": null",
        "\"name\": 1", "\"head_ref_id\": \"x\"", "\"head_ref_id\": null",
        "\"head_ref_id\": \"../../x\"",
        "\"branch_type\": \"other\"", "\"branch_type\": \"Named\"", "\"branch_type\": 1",
        "\"public_key_id\": \"x\"", "\"public_key_id\": \"key-rnd-imm-../x\"",
        "\"public_key_id\": 1",
        "\"creator_branch\": \"x\"", "\"created_at\": -1", "\"created_at\": 100000000000000",
        "\"created_at\": true", "\"created_at\": []", "\"display_name\": 1",
    ])
    func refusesTheIndexForABranchOfABadForm(member: String) {
        #expect(throws: DocumentError.self) { try Self.branch("\(smallest), \(member)") }
    }

    @Test func boundsTheNameOfABranch() throws {
        func branch(_ count: Int) throws -> BranchIndex.Branch {
            try Self.branch("\(smallest), \"name\": \"\(String(repeating: "a", count: count))\"")
        }
        #expect(try branch(64).name.count == 64)
        #expect(throws: DocumentError.badMember("name")) { try branch(65) }
    }

    @Test func readsTheKindsOfBranches() throws {
        #expect(try Self.branch("\(smallest), \"branch_type\": \"clone\"").kind == .clone)
        #expect(try Self.branch("\(smallest), \"branch_type\": \"named\"").kind == .named)
        #expect(try Self.branch("\(smallest), \"branch_type\": null").kind == .named)
    }

    @Test(arguments: ["1700000000123", "0", "\"2026-11-30T19:43:35Z\"", "null"])
    func readsWhenABranchWasMadeAsANumberOrAText(value: String) throws {
        let branch = try Self.branch("\(smallest), \"created_at\": \(value)")
        #expect(branch.createdAt == (try JSONReader.read(Array(value.utf8))))
    }

    @Test func trimsAndLowersTheIDsOfABranch() throws {
        let branch = try Self.branch(
            "\"branch_id\": \" \(branchID.uppercased())\", \"name\": \"current\", "
                + "\"head_ref_id\": \"\(refID.uppercased()) \", \"public_key_id\": \"KEY-RND-IMM-01234567\""
        )
        #expect(branch.id == Array(branchID.utf8) && branch.ref == Array(refID.utf8))
        #expect(branch.key == Array("key-rnd-imm-01234567".utf8))
    }

    @Test func readsEmptyKeyAndCreatorAsNone() throws {
        let branch = try Self.branch(
            "\(smallest), \"public_key_id\": \"\", \"creator_branch\": \"\"")
        #expect(branch.key == nil && branch.creator == nil)
    }

    @Test func findsTheFirstOfTwoBranchesOfOneName() throws {
        let other = smallest.replacing(refID, with: "ref-pid-snw-0123456789ab")
        let index = try Self.decode("{\"branches\": [{\(smallest)}, {\(other)}]}")
        #expect(index.branch(named: Array("current".utf8))?.ref == Array(refID.utf8))
        #expect(index.branch(named: Array("local".utf8)) == nil)
    }

    @Test func keepsTheDocumentWithWhatItDoesNotKnow() throws {
        let text = "{\"x\": 1, \"branches\": [{\(smallest), \"y\": [2]}], \"tags\": [{\"z\": 3}]}"
        #expect(try Self.decode(text).document == (try JSONReader.read(Array(text.utf8))))
    }

    // MARK: - Tags

    private static let now = 1_700_000_000_000
    private static let day = 24 * 3_600_000

    private static func tag(
        _ digit: String, _ time: String, deleted: String = "false", name: String = "v1",
        more: String = ""
    ) -> String {
        "{\"name\": \"\(name)\", \"tag_id\": \"obj-cas-imm-00000000000\(digit)\", \"deleted\": \(deleted), "
            + "\"timestamp_ms\": \(time)\(more)}"
    }

    /// The last digit of the tag object that `v1` stands for.
    private static func winner(_ tags: String...) throws -> Character? {
        let index = try decode("{\"tags\": [\(tags.joined(separator: ", "))]}")
        let name = try #require(TagName(Array("v1".utf8)))
        let (found, live) = (index.tag(named: name, now: now), index.liveTagNames(now: now))
        #expect(live == (found == nil ? [] : [name]))
        return found?.text.last
    }

    @Test func findsTheLatestTag() throws {
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("2", "7"), Self.tag("3", "6")) == "2")
        #expect(try Self.winner() == nil)
        #expect(try Self.winner(Self.tag("1", "5", name: "v2").replacing("v2", with: "v1")) == "1")
    }

    @Test func findsTheGreatestObjectOfEqualTimes() throws {
        #expect(try Self.winner(Self.tag("3", "5"), Self.tag("1", "5"), Self.tag("2", "5")) == "3")
    }

    @Test func findsNoTagThatWasDeletedLast() throws {
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("2", "6", deleted: "true")) == nil)
        #expect(try Self.winner(Self.tag("1", "7"), Self.tag("2", "6", deleted: "true")) == "1")
    }

    @Test func takesADeletionBeforeItsTwin() throws {
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("1", "5", deleted: "true")) == nil)
        #expect(try Self.winner(Self.tag("1", "5", deleted: "true"), Self.tag("1", "5")) == nil)
    }

    @Test func takesATagDatedMoreThanADayAheadLast() throws {
        let (last, ahead) = ("\(Self.now + Self.day)", "\(Self.now + Self.day + 1)")
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("2", last)) == "2")
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("2", ahead)) == "1")
        #expect(try Self.winner(Self.tag("2", ahead)) == "2")
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("2", ahead, deleted: "true")) == "1")
    }

    @Test(arguments: [
        tag("9", "9", more: ", \"x\": 1"), tag("9", "9", name: "a b"), tag("9", "9", name: ""),
        tag("9", "9", name: "obj-cas-imm-0123456789ab"), tag("9", "9", deleted: "1"), tag("x", "9"),
        tag("9", "-1"),
        tag("9", "true"), "1", "null", "{}", "[]", "{\"name\": \"v1\"}",
        "{\"name\": 1, \"tag_id\": \"obj-cas-imm-0123456789ab\", \"deleted\": false, \"timestamp_ms\": 1}",
    ])
    func carriesAnEntryThatItCannotRead(entry: String) throws {
        let index = try Self.decode("{\"tags\": [\(entry)]}")
        #expect(index.tags == [.carried(try JSONReader.read(Array(entry.utf8)))])
        #expect(index.liveTagNames(now: Self.now).isEmpty)
    }

    @Test func usesTheReadableEntryBesideACarriedOne() throws {
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("9", "9", more: ", \"x\": 1")) == "1")
        #expect(try Self.winner(Self.tag("1", "5"), "1", "{}") == "1")
    }

    @Test(arguments: ["-1", "true", "null", "\"x\"", "100000000000000"])
    func hidesTheReadableEntryBehindACarriedOneWithoutATime(time: String) throws {
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("9", time)) == nil)
        #expect(try Self.winner(Self.tag("1", "5"), Self.tag("9", time, name: "v2")) == "1")
    }

    @Test func hidesTheReadableEntryBehindOneThatHasNoTimeAtAll() throws {
        #expect(try Self.winner(Self.tag("1", "5"), "{\"name\": \"v1\"}") == nil)
    }

    @Test func readsAbsentDeletedAsNotDeleted() throws {
        #expect(
            try Self.winner(
                "{\"name\": \"v1\", \"tag_id\": \"obj-cas-imm-000000000001\", \"timestamp_ms\": 5}")
                == "1")
    }
}

@Suite struct FormatGateTests {
    @Test func parsesEveryVersionOfTheVectors() throws {
        for row in try Vectors.rows("crypto", "versions", count: 10) {
            let version = ClientVersion(try row.bytes("text"))
            guard row.value["parsed"] != .null else {
                #expect(version == nil, "\(row)")
                continue
            }
            let numbers = try row.rows("parsed").map { $0.value.integer }
            #expect(version.map { [$0.major, $0.minor, $0.patch] } == numbers, "\(row)")
        }
    }

    @Test func opensTheGateAsEveryRowOfTheVectorsSays() throws {
        for row in try Vectors.rows("crypto", "format_gate", count: 9) {
            let gate = FormatGate(
                format: try row.optionalInteger("format"),
                minimumClient: try row.optionalBytes("min_client"),
                features: try row.texts("features"))
            #expect(gate.idWidth.digits == (try row.integer("id_hex_len")), "\(row)")
            #expect(gate.admitsThisClient == (try row.flag("client_0_26_0_ok")), "\(row)")
        }
    }

    @Test(arguments: [
        ("0.25.9", true), ("0.26.0", true), ("v0.26.0", true), ("0.26.0-rc1", true), ("", true),
        ("0.0.0", true),
        ("nonsense", true), ("0.26", true), ("0.26.1", false), ("0.27.0", false), ("1.0.0", false),
        ("99999999999999999999.0.0", false),
    ])
    func admitsAClientThatIsNotTooOld(minimum: String, isAdmitted: Bool) {
        let gate = FormatGate(format: nil, minimumClient: Array(minimum.utf8), features: [])
        #expect(gate.admitsThisClient == isAdmitted)
    }

    private static func format(_ value: String) throws -> FormatGate {
        try BranchIndex.decode(Array("{\"format\": \(value)}".utf8)[...]).gate
    }

    @Test(arguments: ["null", "0", "1", "3", "99", "\"3\""])
    func readsAnUnknownFormatAsOne(value: String) throws {
        #expect(try Self.format(value).idWidth == .hex12)
    }

    @Test(arguments: ["2", "\"2\""]) func readsFormatTwo(value: String) throws {
        #expect(try Self.format(value).idWidth == .hex32)
    }

    @Test(arguments: ["-1", "2.0", "[]", "{}", "true", "\"x\"", "\"\""])
    func refusesAFormatThatIsNoNumber(value: String) {
        #expect(throws: DocumentError.badMember("format")) { try Self.format(value) }
    }

    @Test func ordersVersionsByTheirNumbers() {
        #expect(ClientVersion(0, 9, 9) < ClientVersion(0, 26, 0))
        #expect(ClientVersion(1, 0, 0) > ClientVersion(0, 99, 99))
        #expect(ClientVersion(1, 2, 3) == ClientVersion(1, 2, 3))
    }
}
