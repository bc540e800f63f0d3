// Splits a tree at a position and concatenates two trees, both in logarithmic time. Operations on many elements combine
// these two. After Adams, "Efficient sets: a balancing act" (1993), adapted to B+trees.

extension OrderedTree {
  /// The first elements, as a tree that shares all nodes except those on the cut. Logarithmic.
  func prefixTree(_ length: Int) -> OrderedTree {
    assert(0...count ~= length, "A prefix is no longer than the tree.")
    if length == 0 { return OrderedTree() }
    if length == count { return self }
    // Only nodes on the trailing edge shrink, and they may have any size.
    var tree = OrderedTree(root: root.prefix(length), count: length)
    tree.shrinkRoot()
    return tree
  }

  /// The elements from a position on, as a tree that shares all nodes except those on the cut. Logarithmic.
  func suffixTree(from position: Int) -> OrderedTree {
    assert(0...count ~= position, "A suffix begins in the tree.")
    if position == 0 { return self }
    if position == count { return OrderedTree() }
    var tree = OrderedTree(root: root.suffix(from: position), count: count - position)
    tree.repair(.leading)
    return tree
  }

  /// Appends all elements of a tree, sharing its nodes. Logarithmic.
  mutating func join(_ other: OrderedTree) {
    if other.isEmpty { return }
    let wanted = count + other.count
    defer { assert(count == wanted && root.count == wanted, "A joined tree has the elements of both.") }
    if isEmpty {
      self = other
      return
    }
    repair(.trailing)
    let difference = root.height - other.root.height
    var overflow: Node?
    if difference > 0 {
      overflow = root.append(subtree: Child(other.root), levelsDown: difference)
    } else if difference < 0 {
      let left = Child(root)
      root = other.root
      overflow = root.prepend(subtree: left, levelsDown: -difference)
    } else {
      var pair: ContiguousArray<Child> = [Child(root), Child(other.root)]
      let together = root.occupancy + other.root.occupancy
      if root.isUnderfull || together <= Self.mergeLimit(ofCapacity: root.capacity) { Self.balance(&pair, at: 0) }
      root = .inner(pair)
      shrinkRoot()
    }
    if let overflow { growRoot(with: Child(overflow)) }
    total += other.count
  }

  /// A side of the tree.
  enum Edge {
    /// The nodes that hold the first element.
    case leading
    /// The nodes that hold the last element.
    case trailing
  }

  /// Restores the minimum occupancy of the nodes on an edge, after a cut or before a join.
  mutating func repair(_ edge: Edge) {
    shrinkRoot()
    root.repair(edge)
    shrinkRoot()
  }
}

extension OrderedTree.Node {
  /// The first elements, at least one. Only nodes on the trailing edge may lose entries.
  func prefix(_ length: Int) -> Self {
    switch self {
    case .leaf(let elements): return .leaf(ContiguousArray(elements[..<length]))
    case .inner(let children):
      let (index, rest) = Tree.locate(length, in: children, isGap: true)
      var kept = ContiguousArray(children[...index])
      if rest < kept[index].count {
        kept[index].node = kept[index].node.prefix(rest)
        kept[index].count = rest
      }
      return .inner(kept)
    }
  }

  /// The elements from an offset on, at least one. Nodes on the leading edge may become underfull.
  func suffix(from offset: Int) -> Self {
    switch self {
    case .leaf(let elements): return .leaf(ContiguousArray(elements[offset...]))
    case .inner(let children):
      let (index, rest) = Tree.locate(offset, in: children)
      var kept = ContiguousArray(children[index...])
      if rest > 0 { kept[0] = Tree.Child(kept[0].node.suffix(from: rest)) }
      return .inner(kept)
    }
  }

  /// Restores the minimum occupancy of the nodes below this one on an edge.
  ///
  /// On the way down, each node gets one entry more than the minimum, because a merge on the level below may cost it
  /// one.
  mutating func repair(_ edge: Tree.Edge) {
    switch consume self {
    case .leaf(let elements):
      self = .leaf(elements)
    case .inner(var children):
      if children.count > 1 {
        let index = edge == .leading ? 0 : children.count - 1
        if children[index].node.occupancy <= Tree.minimum(ofCapacity: children[index].node.capacity) {
          Tree.balance(&children, at: edge == .leading ? 0 : index - 1)
        }
      }
      children[edge == .leading ? 0 : children.count - 1].node.repair(edge)
      self = .inner(children)
    }
  }

  /// Appends a subtree to the trailing edge, where it may have any size.
  ///
  /// - Returns: The overflow, if any.
  mutating func append(subtree: Tree.Child, levelsDown: Int) -> Self? {
    assert(levelsDown > 0, "A subtree is lower than the tree that it joins.")
    guard case .inner(var children) = consume self else { fatalError("A joined tree is lower than this one.") }
    var added = subtree
    if levelsDown > 1 {
      let last = children.count - 1
      let overflow = children[last].node.append(subtree: subtree, levelsDown: levelsDown - 1)
      guard let overflow else {
        children[last].count += subtree.count
        self = .inner(children)
        return nil
      }
      added = Tree.Child(overflow, count: subtree.count, first: subtree.first)
    }
    if children.count < Tree.innerCapacity {
      children.append(added)
      self = .inner(children)
      return nil
    }
    self = .inner(children)
    return .inner([added])
  }

  /// Prepends a subtree to the leading edge.
  ///
  /// - Returns: The right half, if this node was split.
  mutating func prepend(subtree: Tree.Child, levelsDown: Int) -> Self? {
    assert(levelsDown > 0, "A subtree is lower than the tree that it joins.")
    guard case .inner(var children) = consume self else { fatalError("A joined tree is lower than this one.") }
    var half: ContiguousArray<Tree.Child>?
    if levelsDown > 1 {
      let overflow = children[0].node.prepend(subtree: subtree, levelsDown: levelsDown - 1)
      children[0].count += subtree.count
      children[0].first = subtree.first
      if let overflow {
        let right = Tree.Child(overflow)
        children[0].count -= right.count
        half = Tree.insert(right, at: 1, into: &children)
      }
    } else {
      children.insert(subtree, at: 0)
      if subtree.node.isUnderfull { Tree.balance(&children, at: 0) }
      if children.count > Tree.innerCapacity { half = Tree.splitInHalf(&children) }
    }
    self = .inner(children)
    return half.map { .inner($0) }
  }
}
