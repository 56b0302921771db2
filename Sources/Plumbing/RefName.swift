import Objects
package import Store

/// What names a ref: its own id, `@`, a branch's name or a branch's id.
package struct RefName {
    package let text: [UInt8]

    package init?(_ text: [UInt8]) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// The ref's id; nil where no branch is called that.
    package func id(in bare: BareStore) throws -> String? {
        if DocumentRules.isRefID(text) { return String(decoding: text, as: UTF8.self) }
        if text.elementsEqual("@".utf8) { return try bare.mainRef() }
        if let ref = try bare.ref(ofBranch: text) { return ref }
        return try bare.branch(id: text).map { String(decoding: $0.ref, as: UTF8.self) }
    }
}
