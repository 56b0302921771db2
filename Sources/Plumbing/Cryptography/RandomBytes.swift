import Glibc
package import SecretMemory

/// Where random bytes come from: the kernel, or for a test what it says.
package struct RandomBytes {
    private let fill: (UnsafeMutableRawBufferPointer) -> Void

    package init(_ fill: @escaping (UnsafeMutableRawBufferPointer) -> Void) {
        self.fill = fill
    }

    /// The kernel's generator; the process ends with 128 where there is none.
    package static var system: RandomBytes {
        RandomBytes { target in
            // The call gives at most 256 bytes at a time.
            var rest = target[...]
            while !rest.isEmpty {
                let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(256))
                guard getentropy(part.baseAddress, part.count) == 0 else {
                    CryptographicLibrary.fail("the kernel gives no random bytes")
                }
                rest = rest.dropFirst(part.count)
            }
        }
    }

    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            fill(UnsafeMutableRawBufferPointer(buffer))
            written = count
        }
    }

    /// Fills memory of the caller's.
    package func write(into target: UnsafeMutableRawBufferPointer) { fill(target) }

    /// A secret of `count` characters of `alphabet`, each as likely as any other.
    ///
    /// - Parameter alphabet: at most 256 characters.
    package func secret(_ count: Int, of alphabet: StaticString) -> SecretBytes {
        let size = alphabet.utf8CodeUnitCount
        // A byte past the last whole multiple is thrown away: the first characters would be likelier.
        let bound = 256 / size * size
        return SecretBytes(count: count) { target in
            withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
                var filled = 0
                while filled < count {
                    fill(byte)
                    guard Int(byte[0]) < bound else { continue }
                    target[filled] = alphabet.utf8Start[Int(byte[0]) % size]
                    filled += 1
                }
                byte[0] = 0
            }
            return count
        }
    }
}
