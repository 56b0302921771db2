import Cryptography
import Encodings

/// The names of a vault's mutable files: the first 12 hex digits of an HMAC of a domain under the read key.
///
/// - Source: docs/vault-format.md, "Derivations".
package struct FileIDs {
    private let key: ReadKey

    package init(_ key: ReadKey) {
        self.key = key
    }

    /// The ref of the branch `current`.
    package var mainRef: String { "ref-pid-muw-" + tail("sg-vault-v1:file-id:ref:") }

    package var branchIndex: String { "idx-pid-muw-" + tail("sg-vault-v1:file-id:branch-index:") }

    /// The ref of the first clone branch, which `init` names `local`.
    package var firstCloneRef: String { "ref-pid-snw-" + branchRefTail("local") }

    /// The id of `current` where a store has no branch index.
    package var fallbackBranch: String { "branch-named-" + tail("branch:current:") }

    /// The 12 digits for the ref of a branch of that name.
    package func branchRefTail(_ name: String) -> String {
        tail("sg-vault-v1:file-id:branch-ref:", Array((":" + name).utf8))
    }

    /// The 12 digits for the cached value of a path, given as its bytes.
    package func cacheValueTail(_ path: [UInt8]) -> String {
        tail("sg-vault-v1:file-id:cache-value:", [UInt8(ascii: ":")] + path)
    }

    /// The 12 digits for the cached pointer of a path, given as its bytes.
    package func cachePointerTail(_ path: [UInt8]) -> String {
        tail("sg-vault-v1:file-id:cache-pointer:", [UInt8(ascii: ":")] + path)
    }

    private func tail(_ domain: String, _ rest: [UInt8] = []) -> String {
        let code = HMAC.authenticate(Array(domain.utf8) + key.vaultID.bytes + rest, key: key.secret)
        return String(decoding: Hex.encode(code.prefix(6)), as: UTF8.self)
    }
}
