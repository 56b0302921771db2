import Glibc

/// What `Fuzz/run --planted` asks this very program to have found: `trap`, `overrun`, or nothing.
private let planted = getenv("FUZZ_PLANT").map { String(cString: $0) }

/// Where a fault is planted: it comes out on a value that a decoder gave and that spells `trap`.
///
/// The letters are compared as one word, since libFuzzer learns from comparisons of words.
@inline(never)
package func plantFault(on value: [UInt8]) {
    guard let planted, value.count == 4 else { return }
    let word = value.reduce(0) { word, letter in word << 8 | UInt32(letter) }
    guard word == 0x7472_6170 else { return }
    if planted == "overrun" { overrun(past: value.count) }
    fatalError("the planted trap")
}

/// Reads behind the end of memory: what only AddressSanitizer sees.
@inline(never)
private func overrun(past count: Int) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    memory.initialize(repeating: 0)
    if let start = memory.baseAddress, start[count] > 0 { print("read behind the end") }
    memory.deallocate()
}
