extension OrderedTree {
  /// Merges two neighbours if their entries fit into one node together, and otherwise gives each half of the entries.
  ///
  /// - Parameter left: The index of the left neighbour. Neither may be empty.
  static func balance(_ children: inout ContiguousArray<Child>, at left: Int) {
    assert(children[left].count > 0 && children[left + 1].count > 0, "Only nodes with elements are balanced.")
    let capacity = children[left].node.capacity
    let total = children[left].node.occupancy + children[left + 1].node.occupancy
    // The right node is taken out of the array first. With one reference, it is changed in place.
    if total <= mergeLimit(ofCapacity: capacity) {
      let right = children.remove(at: left + 1)
      children[left].node.absorb(right.node)
      children[left].count += right.count
    } else {
      var right = Node.empty
      swap(&right, &children[left + 1].node)
      children[left].node.level(with: &right)
      children[left].count = children[left].node.count
      children[left + 1] = Child(right)
    }
    assert(children[left].count == children[left].node.count, "A parent counts the elements of its children.")
  }

  /// Makes both arrays about equally long, in their order.
  static func level<Entry>(_ left: inout ContiguousArray<Entry>, _ right: inout ContiguousArray<Entry>) {
    left.append(contentsOf: right)
    right = splitInHalf(&left)
    assert(abs(left.count - right.count) <= 1, "Levelled nodes are equally full.")
  }
}

extension OrderedTree.Node {
  /// Appends the entries of the right neighbour, which must have the same height.
  mutating func absorb(_ right: Self) {
    switch (consume self, right) {
    case (.leaf(var mine), .leaf(let others)):
      mine.append(contentsOf: others)
      self = .leaf(mine)
    case (.inner(var mine), .inner(let others)):
      mine.append(contentsOf: others)
      self = .inner(mine)
    default: fatalError("Neighbours in a tree have the same height.")
    }
  }

  /// Distributes the entries evenly over this node and its right neighbour, which must have the same height.
  mutating func level(with right: inout Self) {
    switch (consume self, consume right) {
    case (.leaf(var mine), .leaf(var others)):
      Tree.level(&mine, &others)
      self = .leaf(mine)
      right = .leaf(others)
    case (.inner(var mine), .inner(var others)):
      Tree.level(&mine, &others)
      self = .inner(mine)
      right = .inner(others)
    default: fatalError("Neighbours in a tree have the same height.")
    }
  }
}
