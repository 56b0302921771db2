import Cryptography
import SecretMemory
import Secrets
import Testing

@Suite struct SecretKindTests {
    @Test func thereAreTenAndEachHidesSomething() {
        #expect(SecretKind.all.count == 10 && Set(SecretKind.all.map(\.name)).count == 10)
        #expect(
            SecretKind.all.compactMap(\.mainField?.name) == [
                "password", "passcode", "password", "number", "text", "token", "vault_key",
                "read_key", "secret", "codes",
            ])
        #expect(SecretKind.named(Array("Login".utf8)) == nil)
    }

    @Test func onlyAPasswordIsMade() {
        let made = SecretKind.all.flatMap { kind in
            kind.fields.filter(\.isMade).map { "\(kind.name) \($0.name)" }
        }
        #expect(made == ["login password"])
    }
}

@Suite struct NewPasswordTests {
    @Test func hasLettersOfBothCasesAndDigitsAndNoLookAlikes() {
        var seen: Set<[UInt8]> = []
        var letters: Set<UInt8> = []
        for _ in 0..<500 {
            let password = NewPassword.make(random: .system).withBytes { Array($0) }
            seen.insert(password)
            letters.formUnion(password)
            #expect(password.count == 23)
            #expect(password.contains { (0x41...0x5A).contains($0) })
            #expect(password.contains { (0x61...0x7A).contains($0) })
            #expect(password.contains { (0x30...0x39).contains($0) })
        }
        #expect(seen.count == 500)
        #expect(letters.count == 56 && letters.isDisjoint(with: "0O1Il".utf8.map { $0 }))
    }
}
