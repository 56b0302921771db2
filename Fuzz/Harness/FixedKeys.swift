package import Cryptography
package import Objects
import SecretMemory
import VaultKeys

// Keys that never change, so that what is sealed or signed in a corpus stays so.

/// Seals and opens under the bytes 0 to 31, as Tests/Vectors does.
nonisolated(unsafe) package let cipher: EnvelopeCipher = {
    guard let vaultID = VaultID("fuzz0000".utf8) else { fatalError("no vault id") }
    let secret = SecretBytes(count: 32) { bytes in
        for index in 0..<32 { bytes[index] = UInt8(index) }
        return 32
    }
    return EnvelopeCipher(ReadKey(secret: secret, vaultID: vaultID))
}()

/// The key that the signatures in Tests/Vectors/signature.json are by.
nonisolated(unsafe) package let signer: P256.PublicKey = {
    let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEpnvK/zq7FXs/MGpb2B1U/H3+fWAv
        W7StoXUfs9kGw2HlPFps35Qhofl1uHN0t6qYqe0Ab1XxbOvCfZxf4miWYA==
        -----END PUBLIC KEY-----

        """
    guard let key = P256.PublicKey(pem: Array(pem.utf8)) else { fatalError("no key") }
    return key
}()

/// Replaces every `<text>` by the base64 of an envelope of that text.
///
/// Nobody guesses a seal. So an input says in clear what its sealed members hold.
package func sealMarked(_ input: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var rest = input[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")),
        let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
    {
        output += rest[..<start]
        output += cipher.sealField(Array(rest[(start + 1)..<end]))
        rest = rest[(end + 1)...]
    }
    return output + rest
}
