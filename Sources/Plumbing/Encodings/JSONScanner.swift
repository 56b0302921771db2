// Walks a JSON document without building it, for trees of a million entries. The rules are those of
// JSONReader.swift; what this file leaves to its callers is which member means what.

/// Walks a document that its caller keeps in memory for as long as the scanner is used.
package struct JSONScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0
    /// How many values were built.
    private var valueCount = 0
    /// Whether the innermost open container has given an element or member yet.
    private var isFirst = true

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Enters an object; `nextMember` then gives its members until it returns false.
    package mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{")) }

    /// Enters an array; `nextElement` then tells whether another value follows.
    package mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "[")) }

    /// Replaces `name` with the next member's name and stands before its value, or leaves the object.
    package mutating func nextMember(_ name: inout [UInt8]) throws(JSONError) -> Bool {
        guard try next(closing: UInt8(ascii: "}")) else { return false }
        try string(into: &name)
        try expect(UInt8(ascii: ":"))
        return true
    }

    /// Stands before the next element, or leaves the array.
    package mutating func nextElement() throws(JSONError) -> Bool {
        try next(closing: UInt8(ascii: "]"))
    }

    /// The first byte of the value that follows: it tells its kind.
    package mutating func peek() throws(JSONError) -> UInt8 {
        skipWhiteSpace()
        guard position < bytes.count else { throw .malformed(at: position) }
        return bytes[position]
    }

    /// Checks that nothing but white space follows.
    package mutating func end() throws(JSONError) {
        skipWhiteSpace()
        guard position == bytes.count else { throw .malformed(at: position) }
    }

    /// Reads the value that follows, whole.
    package mutating func value() throws(JSONError) -> JSONValue {
        valueCount += 1
        guard valueCount <= JSONReader.maximumValues else { throw .tooManyValues(at: position) }
        switch try peek() {
        case UInt8(ascii: "{"):
            try beginObject()
            var members: [JSONValue.Member] = []
            var name: [UInt8] = []
            while try nextMember(&name) {
                members.append(JSONValue.Member(name: name, value: try value()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            try beginArray()
            var elements: [JSONValue] = []
            while try nextElement() { elements.append(try value()) }
            return .array(elements)
        case UInt8(ascii: "\""):
            var text: [UInt8] = []
            try string(into: &text)
            return .string(text)
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default:
            return .number(Array(bytes[try number()]))
        }
    }

    /// Passes over the value that follows, checking it as `value` does but keeping nothing.
    package mutating func skipValue() throws(JSONError) {
        var scratch: [UInt8] = []
        try skipValue(&scratch)
    }

    /// The same with a buffer for the names of members, whose capacity is kept.
    package mutating func skipValue(_ scratch: inout [UInt8]) throws(JSONError) {
        switch try peek() {
        case UInt8(ascii: "{"):
            try beginObject()
            while try nextMember(&scratch) { try skipValue(&scratch) }
        case UInt8(ascii: "["):
            try beginArray()
            while try nextElement() { try skipValue(&scratch) }
        case UInt8(ascii: "\""): try skipString(&scratch)
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: _ = try number()
        }
    }

    /// Replaces `text` with the string that follows, unescaped; its capacity is kept.
    package mutating func string(into text: inout [UInt8]) throws(JSONError) {
        text.removeAll(keepingCapacity: true)
        try expect(UInt8(ascii: "\""))
        while true {
            text.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[try run()]))
            position += 1
            if bytes[position - 1] == UInt8(ascii: "\"") { return }
            try escape(into: &text)
        }
    }

    /// Passes over a string, checking it as `string` does.
    private mutating func skipString(_ scratch: inout [UInt8]) throws(JSONError) {
        try expect(UInt8(ascii: "\""))
        while true {
            _ = try run()
            position += 1
            if bytes[position - 1] == UInt8(ascii: "\"") { return }
            scratch.removeAll(keepingCapacity: true)
            try escape(into: &scratch)
        }
    }

    /// Passes over the bytes of a string up to its end or an escape, and gives their range.
    private mutating func run() throws(JSONError) -> Range<Int> {
        let start = position
        var end = start
        var highBits: UInt8 = 0
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            highBits |= byte
            end += 1
        }
        position = end
        if highBits >= 0x80 {
            // Both ends of a run are ASCII, so a character never straddles two runs.
            let run = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            guard UTF8Text.isValid(run) else { throw .malformed(at: start) }
        }
        guard end < bytes.count, bytes[end] >= 0x20 else { throw .malformed(at: end) }
        return start..<end
    }

    // MARK: -

    private mutating func open(_ bracket: UInt8) throws(JSONError) {
        try expect(bracket)
        guard depth < JSONReader.maximumDepth else { throw .tooDeep(at: position - 1) }
        depth += 1
        isFirst = true
    }

    private mutating func next(closing bracket: UInt8) throws(JSONError) -> Bool {
        if try peek() == bracket {
            position += 1
            depth -= 1
            isFirst = false
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            try expect(UInt8(ascii: ","))
        }
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw .malformed(at: position) }
        position += 1
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[position..<end].isEqual(to: word) else {
            throw .malformed(at: position)
        }
        position = end
    }

    /// Passes over a number and gives the range of its text.
    private mutating func number() throws(JSONError) -> Range<Int> {
        let start = position
        if at(UInt8(ascii: "-")) { position += 1 }
        if at(UInt8(ascii: "0")) { position += 1 } else { try digits() }
        if at(UInt8(ascii: ".")) {
            position += 1
            try digits()
        }
        if at(UInt8(ascii: "e")) || at(UInt8(ascii: "E")) {
            position += 1
            if at(UInt8(ascii: "+")) || at(UInt8(ascii: "-")) { position += 1 }
            try digits()
        }
        return start..<position
    }

    private func at(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

    private mutating func digits() throws(JSONError) {
        let start = position
        while position < bytes.count, bytes[position].isDigit { position += 1 }
        guard position > start else { throw .malformed(at: position) }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard position < bytes.count else { throw .malformed(at: position) }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape(into: &text)
        default: throw .malformed(at: position - 1)
        }
    }

    private mutating func unicodeEscape(into text: inout [UInt8]) throws(JSONError) {
        var value = try fourDigits()
        if (0xD800...0xDBFF).contains(value) {
            guard at(UInt8(ascii: "\\")), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw .malformed(at: position) }
            position += 2
            let low = try fourDigits()
            guard (0xDC00...0xDFFF).contains(low) else { throw .malformed(at: position) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        // A low surrogate on its own is no scalar either.
        guard let scalar = Unicode.Scalar(value) else { throw .malformed(at: position) }
        text += String(Character(scalar)).utf8
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw .malformed(at: position) }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[position]
            let lower = (0x41...0x46).contains(byte) ? byte + 0x20 : byte
            guard let digit = Hex.value(lower) else { throw .malformed(at: position) }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
