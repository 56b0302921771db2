import Encodings

/// Times of a vault in the words of RFC 3339.
package enum Timestamp {
    /// UTC with milliseconds: `2026-11-30T19:43:35.123Z`.
    ///
    /// - Parameter milliseconds: since 1970, not negative.
    package static func rfc3339(_ milliseconds: Int) -> String {
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = date(daysSince1970: days)
        let (seconds, thousandths) = rest.quotientAndRemainder(dividingBy: 1000)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
            + "T\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
            + ".\(padded(thousandths, 3))Z"
    }

    /// UTC without a fraction of a second, as a vault file writes it: `2026-11-30T19:43:35Z`.
    ///
    /// - Parameter milliseconds: since 1970, not negative.
    package static func wholeSeconds(_ milliseconds: Int) -> String {
        rfc3339(milliseconds).prefix(19) + "Z"
    }

    /// Milliseconds since 1970 of an RFC 3339 time; nil for any other text, and for a time that a vault cannot hold.
    ///
    /// Digits past the third of a second's fraction are dropped.
    package static func parse(_ text: [UInt8]) -> Int? {
        var rest = text[...]
        func number(_ digits: Int) -> Int? {
            let part = rest.prefix(digits)
            guard part.count == digits, let value = Decimal.parse(part) else { return nil }
            rest = rest.dropFirst(digits)
            return value
        }
        func skip(_ choices: StaticString) -> UInt8? {
            guard let byte = rest.first,
                UnsafeBufferPointer(start: choices.utf8Start, count: choices.utf8CodeUnitCount)
                    .contains(byte)
            else { return nil }
            rest = rest.dropFirst()
            return byte
        }
        guard let year = number(4), skip("-") != nil, let month = number(2), skip("-") != nil,
            let day = number(2), skip("Tt ") != nil, let hour = number(2), skip(":") != nil,
            let minute = number(2), skip(":") != nil, let second = number(2),
            (1...12).contains(month), (1...daysInMonth(month, year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        var thousandths = 0
        if skip(".") != nil {
            let digits = rest.prefix { $0.isDigit }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            let three = (Array(digits) + [0x30, 0x30]).prefix(3)
            thousandths = three.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        var offset = 0
        guard let zone = skip("Zz+-") else { return nil }
        if zone == UInt8(ascii: "+") || zone == UInt8(ascii: "-") {
            guard let hours = number(2), skip(":") != nil, let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (zone == UInt8(ascii: "+") ? 1 : -1)
        }
        guard rest.isEmpty else { return nil }
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        let time = (minutes * 60 + second) * 1000 + thousandths
        return DocumentRules.times.contains(time) ? time : nil
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// The Gregorian date, by eras of 400 years that begin on 1 March.
    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            era * 400 + yearOfEra + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
