import Encodings
import Objects

/// The input of one run.
package func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
}

/// Ends the run with a finding unless the condition holds.
package func expect(_ condition: Bool, _ rule: StaticString) {
    guard condition else { fatalError("broken: \(rule)") }
}

/// What a decoder answers; nil where it refuses the document with an error that it declares.
package func answer<Value>(_ decode: () throws -> Value) -> Value? {
    do {
        return try decode()
    } catch is JSONError {
        return nil
    } catch is DocumentError {
        return nil
    } catch {
        fatalError("broken: an error that is not declared: \(error)")
    }
}
