package import Objects

/// Why a move of a ref that was asked for is not made.
package enum RefCommandError: Error {
    /// The new commit does not descend from the one that the ref holds, and that one was not named.
    case notForward(ref: String, head: ObjectID)
    /// One transaction moves it twice.
    case repeatedRef(String)
    case malformed([UInt8])
    /// Nothing of that name has a ref.
    case noRef([UInt8])
    /// A command that cannot stand where it does: `commit` after `commit`, say.
    case outOfPlace([UInt8])
}
