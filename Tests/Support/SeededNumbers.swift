import Foundation

/// Random numbers that a failing test can be run again with: `SGIT_TEST_SEED=<seed> swift test`.
///
/// The generator is SplitMix64. Tests put the seed into the comment of each expectation.
package struct SeededNumbers: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init() {
        let given = ProcessInfo.processInfo.environment["SGIT_TEST_SEED"].flatMap { UInt64($0) }
        seed = given ?? UInt64.random(in: .min ... .max)
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
