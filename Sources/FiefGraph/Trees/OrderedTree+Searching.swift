extension OrderedTree.Node.View {
  /// Calls a closure with the element that is equal to a value, in a sorted tree, and returns its result. Returns nil
  /// when no element is equal.
  ///
  /// The search descends once and does not compute the position. It reads no elements or counts except those that it
  /// compares.
  ///
  /// - Parameters:
  ///   - body: Reads an element in place.
  ///   - order: Compares an element to the value: negative before, zero equal, positive after.
  @inline(__always)
  func read<Result>(_ body: (borrowing Element) -> Result, seeing order: (borrowing Element) -> Int) -> Result? {
    // Descending without counting references is sound for the reasons of `descend`.
    var step = unsafe self
    while case .inner(let children) = unsafe step {
      var (low, high) = (1, children.count)
      while low < high {
        let middle = (low &+ high) / 2
        if unsafe order(children[middle].first) > 0 { high = middle } else { low = middle &+ 1 }
      }
      unsafe step = unsafe children[low &- 1].node.below
    }
    guard case .leaf(let elements) = unsafe step else { fatalError("Every way down a tree ends in a leaf.") }
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low &+ high) / 2
      let comparison = unsafe order(elements[middle])
      if comparison == 0 { return unsafe body(elements[middle]) }
      if comparison > 0 { high = middle } else { low = middle &+ 1 }
    }
    return nil
  }
}
