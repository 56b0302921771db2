import Encodings
package import Objects

/// Trees in memory from what stands at their paths.
package struct ForestDrawing {
    package let objects: MemoryObjects

    package init(_ objects: MemoryObjects = MemoryObjects()) {
        self.objects = objects
    }

    /// What stands at a name.
    package indirect enum Node {
        /// A blob; `copy` gives other ids to equal contents.
        case blob(String, copy: Int = 0)
        case tree([(String, Node)])
        /// A folder that is named and not there.
        case link(ObjectID)
    }

    /// The id of the tree with these entries in this order, kept in memory.
    @discardableResult
    package func tree(_ nodes: [(String, Node)]) -> ObjectID {
        let entries = nodes.compactMap { name, node in
            EntryName(Array(name.utf8)).map { TreeEntry(name: $0, target: target(node)) }
        }
        var text: [UInt8] = []
        for entry in entries { text += entry.target.id.bytes + entry.name.bytes + [0] }
        let id = ObjectID(naming: Array("tree".utf8) + text, width: .hex12)
        objects.trees[id] = Tree(entries: entries)
        return id
    }

    package func target(_ node: Node) -> TreeTarget {
        switch node {
        case .blob(let text, let copy):
            let id = ObjectID(naming: Array("blob \(copy) \(text)".utf8), width: .hex12)
            objects.blobs[id] = Array(text.utf8)
            return .blob(
                id,
                BlobFacts(size: text.utf8.count, contentHash: [], mediaType: [], isLarge: false))
        case .tree(let nodes): return .tree(tree(nodes))
        case .link(let id): return .tree(id)
        }
    }
}
