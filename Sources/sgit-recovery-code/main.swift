// sgit-recovery-code: makes a recovery code, or checks one that was typed.
import CommandInterface
import Cryptography
import Locks
import Plumbing
import SecretMemory
import Unlocking

let check = Flag(nil, "check", "read a code and print it in its normal form")
let lock = LockOption()
let secret = SecretOptions()

let tool = Tool(
    "sgit-recovery-code", "make a recovery code, or check one",
    usage: [
        [],
        [.required(check), lock.element, secret.contentElements],
    ],
    answersNo: "what was typed is no recovery code")

tool.main { call in
    KeyOptions().prepare(call)
    guard call[check] else {
        show(RecoveryCode(random: .system), call.output)
        return .success
    }
    let offered = try secret.offered(call)

    guard lock.isGiven(call) else {
        let typed = TypedCode(try offered?.content ?? secret.input(call))
        do throws(RecoveryCodeError) {
            show(try typed.code(), call.output)
        } catch {
            call.warn(error.report)
            return .no
        }
        return .success
    }
    let given = try lock.read(call)
    let content =
        try lock.namesFile(call)
        ? offered?.content ?? secret.input(call) : offered?.content
    guard let content else { throw SecretOptionsError.noSecret }
    let found = try mended(TypedCode(content), for: given)
    if let fault = found.fault { call.warn(Report(fault.words, status: .success)) }
    show(found.code, call.output)
    return .success
}

func show(_ code: RecoveryCode, _ output: Output) {
    output.write(code.text)
    output.write(0x0A)
}
