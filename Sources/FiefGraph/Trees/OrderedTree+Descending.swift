// The one unsafe corner of the tree: going down without counting references.
//
// A loop that keeps the current node in a variable retains and releases every node on its way, which are two atomic
// operations for each level and costs more than the search itself. Here the way down is a bare pointer to the children
// of the current node. That is right because
// 1. the tree is borrowed by the caller for the whole of `descend`, so its root is held, and every node holds its
//    children: each array on the path stays allocated until `descend` returns;
// 2. an array that is reachable from a borrowed tree is not changed in place: mutation needs exclusive access to the
//    tree or, for shared nodes, copies them first;
// 3. an array keeps its elements at one address for as long as it is neither changed nor freed;
// 4. no pointer is kept: the callers' closures read numbers and copies of elements and return.

extension OrderedTree.Node {
  /// Goes down from this node to a leaf and reads something there.
  ///
  /// Neither closure may let its buffer escape.
  ///
  /// - Parameters:
  ///   - choose: Gets the children of a node and returns the index of the one to enter.
  ///   - read: Gets the elements of the leaf.
  @inlinable
  @inline(__always)
  func descend<Result>(
    _ choose: (UnsafeBufferPointer<Tree.Child>) throws -> Int,
    read: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(self) {
      var step = below
      while case .inner(let children) = step { step = children[try choose(children)].node.below }
      guard case .leaf(let elements) = step else { fatalError("Every way down a tree ends in a leaf.") }
      return try read(elements)
    }
  }

  /// The node's entries, without holding them.
  @inlinable
  @inline(__always)
  var below: Borrowed {
    switch self {
    case .leaf(let elements): return .leaf(elements.withUnsafeBufferPointer { $0 })
    case .inner(let children): return .inner(children.withUnsafeBufferPointer { $0 })
    }
  }

  /// A node that someone else holds.
  @usableFromInline
  @frozen
  enum Borrowed {
    /// The elements of a leaf.
    case leaf(UnsafeBufferPointer<Element>)
    /// The children of an inner node.
    case inner(UnsafeBufferPointer<Tree.Child>)
  }
}
