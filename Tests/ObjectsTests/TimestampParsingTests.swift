import Objects
import TestSupport
import Testing

@Suite struct TimestampParsingTests {
    private static func parse(_ text: String) -> Int? { Timestamp.parse(Array(text.utf8)) }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1),
        ("2026-11-30T19:43:35.123Z", 1_796_067_815_123),
        ("2026-11-30t19:43:35.123z", 1_796_067_815_123),
        ("2026-11-30 19:43:35.123Z", 1_796_067_815_123),
        ("2026-11-30T19:43:35.123+00:00", 1_796_067_815_123),
        ("2026-11-30T19:43:35.123-00:00", 1_796_067_815_123),
        ("1970-01-01T00:00:00.1Z", 100), ("1970-01-01T00:00:00.12Z", 120),
        ("1970-01-01T00:00:00.1239Z", 123), ("1970-01-01T00:00:00.9999999999999999999999Z", 999),
        ("1970-01-01T00:00:00.0009Z", 0), ("1990-12-31T23:59:60Z", 662_688_000_000),
        ("5138-11-16T09:46:39.999Z", 99_999_999_999_999),
    ])
    func readsATime(text: String, milliseconds: Int) {
        #expect(Self.parse(text) == milliseconds)
    }

    @Test(arguments: [
        ("2026-11-30T00:30:00+01:00", 1_795_995_000_000),
        ("2026-11-30T20:00:00-08:30", 1_796_099_400_000),
        ("2026-01-01T00:00:00+23:59", 1_767_139_260_000),
        ("1969-12-31T23:30:00-00:30", 0), ("1970-01-01T05:30:00+05:30", 0),
    ])
    func takesTheOffsetOff(text: String, milliseconds: Int) {
        #expect(Self.parse(text) == milliseconds)
    }

    @Test(arguments: [
        ("2000-02-29T00:00:00Z", 951_782_400_000), ("2024-02-29T12:00:00Z", 1_709_208_000_000),
        ("2400-02-29T00:00:00Z", 13_574_563_200_000), ("2100-03-01T00:00:00Z", 4_107_542_400_000),
    ])
    func knowsLeapYears(text: String, milliseconds: Int) {
        #expect(Self.parse(text) == milliseconds)
    }

    @Test(arguments: [
        "2100-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-06-31T00:00:00Z", "2026-09-31T00:00:00Z",
        "2026-11-31T00:00:00Z", "2026-01-32T00:00:00Z", "2026-12-00T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-30T24:00:00Z",
        "2026-11-30T00:60:00Z", "2026-11-30T00:00:61Z",
    ])
    func refusesADayOrHourThatThereIsNot(text: String) {
        #expect(Self.parse(text) == nil)
    }

    @Test(arguments: [
        "", "x", "2026", "2026-11-30", "2026-11-30T19:43:35", "2026-11-30T19:43Z",
        "2026-11-30T19:43:35.Z", "2026-11-30T19:43:35,1Z", "2026-11-30T19:43:35.x1Z",
        "2026-11-30T19:43:35Z ", " 2026-11-30T19:43:35Z", "2026-11-30T19:43:35ZZ",
        "2026-11-30_19:43:35Z", "2026/11/30T19:43:35Z", "20261130T194335Z",
        "2026-1-30T19:43:35Z", "2026-11-3T19:43:35Z", "2026-11-30T9:43:35Z", "26-11-30T19:43:35Z",
        "+2026-11-30T19:43:35Z", "12026-11-30T19:43:35Z", "2026-11-30T19:43:35+1:00",
        "2026-11-30T19:43:35+01", "2026-11-30T19:43:35+0100", "2026-11-30T19:43:35+01:0",
        "2026-11-30T19:43:35+01:000", "2026-11-30T19:43:35+24:00", "2026-11-30T19:43:35+01:60",
        "2026-11-30T19:43:35Z+01:00", "2026-11-30T19:43:35 UTC", "2026-11-30T-1:43:35Z",
        "\u{662}026-11-30T19:43:35Z", "2026-11-30T19:43:3\u{665}Z",
    ])
    func refusesAnyOtherText(text: String) {
        #expect(Self.parse(text) == nil)
    }

    @Test(arguments: [
        "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00+00:01", "0000-01-01T00:00:00Z",
        "5138-11-16T09:46:40Z", "5138-11-16T09:46:39.999-00:01", "9999-12-31T23:59:59Z",
    ])
    func refusesATimeThatNoVaultHolds(text: String) {
        #expect(Self.parse(text) == nil)
    }

    @Test func readsEveryTimeThatItWrites() {
        var numbers = SeededNumbers()
        for _ in 0..<2000 {
            let time = numbers.below(100_000_000_000_000)
            #expect(Self.parse(Timestamp.rfc3339(time)) == time, "seed \(numbers.seed)")
        }
    }

    @Test func readsEveryDayThatItWrites() {
        for day in stride(from: 0, to: 20_000 * 86_400_000, by: 86_400_000) {
            let text = Timestamp.rfc3339(day)
            if Self.parse(text) != day { Issue.record("\(text)") }
        }
    }
}
