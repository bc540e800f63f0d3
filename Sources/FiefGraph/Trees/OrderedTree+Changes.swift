extension OrderedTree {
  /// The edits that turn one tree into another, and how many nodes were visited to find them.
  ///
  /// The cost is proportional to the changes, times the height and width of the nodes on the way, as long as the trees
  /// share their unchanged nodes. Trees without a common history are compared element by element. `README.md` beside
  /// this file explains the algorithm.
  ///
  /// - Parameters:
  ///   - old: The tree to begin with.
  ///   - new: The tree to arrive at.
  ///   - nodesVisited: Grows by the number of nodes whose identity or content was read.
  ///   - areIdentical: Whether two elements are identical. Every element must be identical to itself.
  /// - Returns: Ascending edits with at least one common element between two of them. Outside of the edits the trees
  ///   have equal elements in the same order. The edits of small changes are minimal; see `ChangedElements`.
  public static func changes(
    from old: OrderedTree, to new: OrderedTree, nodesVisited: inout Int,
    areIdentical: @escaping (Element, Element) -> Bool
  ) -> [OrderedTreeEdit] {
    if old.isIdentical(to: new) { return [] }
    var walk = ChangeWalk(from: old, to: new, areIdentical: areIdentical)
    defer { nodesVisited += walk.nodesVisited }
    return walk.edits()
  }

  /// The elements of a range, copied leaf by leaf.
  func elements(in range: Range<Int>) -> ContiguousArray<Element> {
    var elements: ContiguousArray<Element> = []
    elements.reserveCapacity(range.count)
    forEachLeaf(in: range) { slice, _ in
      elements.append(contentsOf: slice)
      return true
    }
    assert(elements.count == range.count, "Each element of the range is read once.")
    return elements
  }
}

extension OrderedTree.Node {
  /// The children of the node that begins at a position, some levels below this one.
  ///
  /// - Parameters:
  ///   - start: The position of the node's first element.
  ///   - levels: How many levels below this node it is; it is not a leaf.
  func children(at start: Int, _ levels: Int) -> ContiguousArray<TreeNode> {
    var (node, rest) = (self, start)
    for _ in 0..<levels {
      guard case .inner(let children) = node else { break }
      let (index, offset) = Tree.locate(rest, in: children)
      (node, rest) = (children[index].node, offset)
    }
    guard case .inner(let children) = node, rest == 0 else {
      fatalError("An inner node begins at its position.")
    }
    var nodes: ContiguousArray<TreeNode> = []
    nodes.reserveCapacity(children.count)
    var position = start
    for child in children {
      nodes.append(TreeNode(identity: child.node.identity, start: position, count: child.count))
      position += child.count
    }
    return nodes
  }
}
