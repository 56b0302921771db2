import COpenSSL
import Glibc

/// How libcrypto starts.
package enum CryptographicLibrary {
    /// Starts libcrypto before its first use; without this call it starts by itself, more slowly.
    ///
    /// The configuration file costs 0.4 ms a process and is left out unless asked for. A provider policy
    /// (FIPS, say) lives there, so whoever has one asks for it (docs/decisions/0006).
    package static func start(readingConfiguration: Bool) {
        var options = UInt64(OPENSSL_INIT_NO_ATEXIT)
        if readingConfiguration {
            options |= UInt64(OPENSSL_INIT_LOAD_CONFIG)
        } else {
            options |= UInt64(OPENSSL_INIT_NO_LOAD_CONFIG)
            options |= UInt64(OPENSSL_INIT_NO_ADD_ALL_CIPHERS)
            options |= UInt64(OPENSSL_INIT_NO_ADD_ALL_DIGESTS)
            options |= UInt64(OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS)
        }
        OPENSSL_init_crypto(options, nil)
    }

    /// Ends the process with 128 where libcrypto cannot do its work: a provider policy without the algorithm, say.
    ///
    /// Nothing can go on without it, and it is no fault of the program: no trap.
    static func fail(_ complaint: StaticString) -> Never {
        _ = write(STDERR_FILENO, complaint.utf8Start, complaint.utf8CodeUnitCount)
        _ = write(STDERR_FILENO, "\n", 1)
        _exit(128)
    }
}
