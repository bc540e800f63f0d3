extension OrderedTree {
  /// Makes a tree of the elements of a sequence, in its order. Linear; all nodes but the last of each level are full.
  ///
  /// - Parameter elements: The elements of the new tree. If this is an `OrderedTree` already, the result shares its
  ///   nodes.
  @inlinable
  public init<S: Sequence>(_ elements: S) where S.Element == Element {
    if let tree = elements as? OrderedTree {
      self = tree
      return
    }
    var builder = Builder()
    builder.pending.reserveCapacity(Swift.min(elements.underestimatedCount, Self.leafCapacity))
    for element in elements { builder.append(element) }
    self = builder.finish()
  }

  /// Makes a tree of the elements of an array, which becomes its leaf if it is short enough.
  @inlinable
  public init(leaf elements: ContiguousArray<Element>) {
    if elements.count <= Self.leafCapacity {
      self.init(root: .leaf(elements), count: elements.count)
    } else {
      self.init(elements)
    }
  }

  /// Collects elements into full leaves and then stacks levels of full inner nodes on them.
  @usableFromInline
  @frozen
  struct Builder {
    @usableFromInline var leaves: ContiguousArray<Child> = []
    @usableFromInline var pending: ContiguousArray<Element> = []

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ element: Element) {
      if pending.count == OrderedTree.leafCapacity { closeLeaf() }
      pending.append(element)
    }

    /// Moves the pending elements into a leaf. The leaf after a full one is probably full too, so its capacity is
    /// reserved at once.
    @inlinable
    mutating func closeLeaf() {
      if pending.isEmpty { return }
      assert(pending.count <= OrderedTree.leafCapacity, "A leaf has room for its elements.")
      let first = pending[0]
      let count = pending.count
      var full: ContiguousArray<Element> = []
      full.reserveCapacity(OrderedTree.leafCapacity)
      swap(&full, &pending)
      leaves.append(Child(.leaf(full), count: count, first: first))
    }

    @inlinable
    mutating func finish() -> OrderedTree {
      if leaves.isEmpty { return OrderedTree(root: .leaf(pending), count: pending.count) }
      closeLeaf()
      var level = leaves
      while level.count > 1 {
        var above: ContiguousArray<Child> = []
        above.reserveCapacity((level.count + OrderedTree.innerCapacity - 1) / OrderedTree.innerCapacity)
        var start = 0
        while start < level.count {
          let end = Swift.min(start + OrderedTree.innerCapacity, level.count)
          above.append(Child(.inner(ContiguousArray(level[start..<end]))))
          start = end
        }
        level = above
      }
      assert(level[0].count == leaves.reduce(0) { $0 + $1.count }, "A tree has the elements of its leaves.")
      return OrderedTree(root: level[0].node, count: level[0].count)
    }
  }
}
