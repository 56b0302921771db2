/// Where new objects go: all that editing and merging trees see of a store that is written.
///
/// What it returns names an object that is there for others once the writer has been flushed.
package protocol ObjectWriter {
    /// Writes a folder; equal entries give the same id.
    func write(_ tree: Tree) throws -> ObjectID
}
