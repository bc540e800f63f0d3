extension OrderedTree {
  /// Removes the element at a position. Logarithmic; in place where no other tree shares the nodes.
  ///
  /// - Parameter position: 0 ..< count; traps otherwise.
  /// - Returns: The removed element.
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    checkElement(at: position)
    let removed = root.remove(at: position, onTrailingEdge: true)
    total -= 1
    shrinkRoot()
    assert(root.count == total, "A tree counts the elements of its root.")
    return removed
  }

  /// Removes inner nodes at the top that have only one child.
  mutating func shrinkRoot() {
    while case .inner(let children) = root, children.count == 1 { root = children[0].node }
  }
}

extension OrderedTree.Node {
  /// Removes the element at an offset that must exist. This node may become underfull; its parent restores the minimum.
  ///
  /// - Parameter onTrailingEdge: Whether this node is the last of its level.
  mutating func remove(at offset: Int, onTrailingEdge: Bool) -> Element {
    switch consume self {
    case .leaf(var elements):
      let removed = elements.remove(at: offset)
      self = .leaf(elements)
      return removed
    case .inner(var children):
      let (index, rest) = Tree.locate(offset, in: children)
      let isTrailing = onTrailingEdge && index == children.count - 1
      let removed = children[index].node.remove(at: rest, onTrailingEdge: isTrailing)
      children[index].count -= 1
      if children[index].count == 0 {
        children.remove(at: index)
      } else {
        if rest == 0 { children[index].first = children[index].node.first }
        if !isTrailing && children[index].node.isUnderfull {
          Tree.balance(&children, at: Swift.min(index, children.count - 2))
        }
      }
      assert(!children.isEmpty || onTrailingEdge, "A node off the trailing edge keeps children.")
      self = .inner(children)
      return removed
    }
  }
}
