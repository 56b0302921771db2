// sgit-read-ref: prints the commit that a ref or branch holds.
import CommandInterface
import Encodings
import Objects
import Plumbing
import Store

let all = Flag(nil, "all", "print every ref of the store, and those the index lists")
let ref = Operand("ref", "a ref id, a branch name, a branch id, or @ for 'current'", RefName.init)
let records = RecordOptions()
let store = StoreOptions()

let tool = Tool(
    "sgit-read-ref", "print the commit that a ref or branch holds",
    usage: [
        [.any(records.json, records.nul), store.elements, .one(ref)],
        [.required(all), .any(records.json, records.nul), store.elements],
    ],
    answersNo: "there is no such ref, or it holds no commit yet")

tool.main { call in
    let bare = try store.open(call).bare

    if call[all] {
        try bare.explainAbsence()
        for refID in try bare.knownRefs() { try show(refID, in: bare, withNames: true, call) }
        return .success
    }
    guard let refID = try call[ref].id(in: bare) else {
        try bare.explainAbsence()
        return .no
    }
    guard case .head = try bare.refs.read(refID) else {
        try bare.explainAbsence()
        return .no
    }
    try show(refID, in: bare, withNames: false, call)
    return .success
}

func show(_ refID: String, in bare: BareStore, withNames: Bool, _ call: Invocation) throws {
    let branch = try bare.branchName(ofRef: refID)
    let head = try bare.refs.read(refID).head
    if call[records.json] {
        records.print(
            .object([
                .init("ref", .text(refID)), .init("commit", ObjectJSON.nullable(head?.bytes)),
                .init("branch", ObjectJSON.nullable(branch)),
            ]), call)
        return
    }
    call.output.write(head?.text ?? "-")
    if withNames {
        call.output.write(" \(refID)\t")
        call.output.write(branch ?? [UInt8(ascii: "-")])
    }
    call.output.write(records.terminator(call))
}
