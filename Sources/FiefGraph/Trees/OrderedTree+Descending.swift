// This file holds the unsafe code of the tree: it descends without counting references.
//
// A loop that keeps the current node in a variable retains and releases every node on its way. Those two atomic
// operations per level cost more than the search itself. Here the cursor is a bare pointer to the children of the
// current node. That is sound for these reasons:
// 1. The caller borrows the tree for the whole of `descend`, so its root is held, and every node holds its children. So
//    each array on the path stays allocated until `descend` returns.
// 2. An array that is reachable from a borrowed tree is not changed in place. Mutation needs exclusive access to the
//    tree, or copies shared nodes first.
// 3. An array keeps its elements at one address for as long as it is neither changed nor freed.
// 4. No pointer escapes: the callers' closures read numbers and copies of elements and return.

extension OrderedTree.Node {
  /// Descends from this node to a leaf and reads something there.
  ///
  /// Neither closure may let its buffer escape.
  ///
  /// - Parameters:
  ///   - choose: Receives the children of a node and returns the index of the child to enter.
  ///   - read: Receives the elements of the leaf.
  @inlinable
  @inline(__always)
  func descend<Result>(
    _ choose: (UnsafeBufferPointer<Tree.Child>) throws -> Int,
    read: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(self) {
      var step = unsafe below
      while case .inner(let children) = unsafe step { unsafe step = children[try choose(children)].node.below }
      guard case .leaf(let elements) = unsafe step else { fatalError("Every way down a tree ends in a leaf.") }
      return try unsafe read(elements)
    }
  }

  /// The node's entries, without retaining them.
  @inlinable
  @inline(__always)
  var below: View {
    switch self {
    case .leaf(let elements): return unsafe .leaf(elements.withUnsafeBufferPointer { unsafe $0 })
    case .inner(let children): return unsafe .inner(children.withUnsafeBufferPointer { unsafe $0 })
    }
  }

  /// The entries of a node that another owner retains.
  @unsafe
  @usableFromInline
  @frozen
  enum View {
    /// The elements of a leaf.
    case leaf(UnsafeBufferPointer<Element>)
    /// The children of an inner node.
    case inner(UnsafeBufferPointer<Tree.Child>)
  }
}
