import Encodings
package import Objects

/// A writer whose trees go to objects in memory; equal trees have one id.
package final class MemoryWriter: ObjectWriter {
    package let objects: MemoryObjects
    /// The trees that were written, in order.
    package private(set) var written: [ObjectID] = []

    package init(_ objects: MemoryObjects = MemoryObjects()) {
        self.objects = objects
    }

    package func write(_ tree: Tree) -> ObjectID {
        let records = tree.entries.map {
            PrettyLayout.record($0.target, path: $0.name.bytes, details: true, names: .raw) + [0]
        }
        let id = ObjectID(naming: Array(records.joined()), width: .hex32)
        objects.trees[id] = tree
        written.append(id)
        return id
    }

    /// Forgets what was written so far; the trees stay.
    package func forget() { written = [] }
}
