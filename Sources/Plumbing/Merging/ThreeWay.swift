/// The rule of a three-way merge for one value.
///
/// - Source: docs/vault-format.md, "Merge".
package enum ThreeWay {
    package enum Decision<Value: Equatable>: Equatable {
        /// nil: the value is deleted.
        case clean(Value?)
        /// Both sides changed it, and not alike.
        case conflict
    }

    /// Decides from the three values; nil stands for absent.
    package static func decide<Value: Equatable>(
        base: Value?, ours: Value?, theirs: Value?
    ) -> Decision<Value> {
        if ours == theirs { return .clean(ours) }
        if ours == base { return .clean(theirs) }
        if theirs == base { return .clean(ours) }
        return .conflict
    }
}
