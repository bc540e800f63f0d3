/// The leaves of a tree of elements, in order.
///
///     inner ─┬─ inner ─┬─ leaf       the depth is limited, and each node is claimed once
///            │         └─ leaf
///            └─ inner ─── leaf
struct ElementTree {
  /// Deeper than any tree of a real file: 256 elements in each node would reach 2^64 leaves in eight levels.
  static let depthLimit = 16

  /// Calls `body` with each leaf; it returns how many elements the leaf has. Linear in the nodes.
  ///
  /// - Parameter ref: the root.
  /// - Throws: `RealmFileError` also when an inner node counts other elements than its leaves have.
  static func forEachLeaf(
    of ref: Int64, in file: FileBytes, _ body: (Node) throws(RealmFileError) -> Int
  ) throws(RealmFileError) {
    let root = try file.node(ref)
    guard root.isInner else {
      _ = try body(root)
      return
    }
    var levels = [try Level(root, file)]
    while let level = levels.last {
      guard level.next < level.childCount else {
        guard level.found == level.announced else {
          throw file.damage(
            "the tree announces \(level.announced) elements and has \(level.found)", at: level.node.offset)
        }
        levels.removeLast()
        if !levels.isEmpty { levels[levels.count - 1].found += level.found }
        continue
      }
      levels[levels.count - 1].next += 1
      let child = try file.node(level.child(level.next))
      if child.isInner {
        guard levels.count < depthLimit else { throw file.damage("the tree is too deep", at: child.offset) }
        levels.append(try Level(child, file))
      } else {
        levels[levels.count - 1].found += try body(child)
      }
    }
  }

  /// An inner node on the way down.
  private struct Level {
    let announced: Int
    // The positions of the children, their refs, and the number of elements below.
    private let elements: Integers
    var next = 0
    var found = 0

    init(_ node: Node, _ file: FileBytes) throws(RealmFileError) {
      elements = try file.refs(node, atLeast: 3)
      announced = Int(clamping: try file.tagged(elements[elements.count - 1], of: node))
      // The positions of the children follow from the leaves. The node that may hold them is claimed all the same.
      if elements[0] & 1 == 0 { _ = try file.node(elements[0]) }
    }

    var node: Node { elements.node }
    var childCount: Int { elements.count - 2 }

    func child(_ child: Int) -> Int64 { elements[child + 1] }
  }
}
