extension OrderedTree {
  /// The positions of the elements that are equal to a value, in a tree that is sorted. Logarithmic.
  ///
  /// The searches for both ends of the range share their path as far as it is common.
  ///
  /// - Parameter order: Compares an element to the value: negative before, zero equal, positive after.
  @inlinable
  @inline(__always)
  func equalRange(seeing order: (borrowing Element) -> Int) -> Range<Int> {
    // Descending without counting references is sound for the reasons of `descend`: the root is held, and no pointer
    // escapes.
    withExtendedLifetime(root) {
      var before = 0
      var step = unsafe root.below
      while case .inner(let children) = unsafe step {
        var (low, high) = (1, children.count)
        while low < high {
          let middle = (low &+ high) / 2
          if unsafe order(children[middle].first) >= 0 { high = middle } else { low = middle &+ 1 }
        }
        for index in 0..<(low - 1) { unsafe before &+= children[index].count }
        // Usually few elements are equal, so the end is found by a linear search.
        var end = low
        while end < children.count, unsafe order(children[end].first) <= 0 { end += 1 }
        if end == low {
          unsafe step = children[low - 1].node.below
          continue
        }
        let first = unsafe before + children[low - 1].node.partitionPoint(seeing: { order($0) >= 0 })
        for index in (low - 1)..<(end - 1) { unsafe before &+= children[index].count }
        return unsafe first..<(before + children[end - 1].node.partitionPoint(seeing: { order($0) > 0 }))
      }
      guard case .leaf(let elements) = unsafe step else { fatalError("Every way down a tree ends in a leaf.") }
      var (low, high) = (0, elements.count)
      while low < high {
        let middle = (low &+ high) / 2
        if unsafe order(elements[middle]) >= 0 { high = middle } else { low = middle &+ 1 }
      }
      var end = low
      while end < elements.count, unsafe order(elements[end]) == 0 { end += 1 }
      return (before + low)..<(before + end)
    }
  }
}

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
      unsafe step = children[low &- 1].node.below
    }
    guard case .leaf(let elements) = unsafe step else { fatalError("Every way down a tree ends in a leaf.") }
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low &+ high) / 2
      let place = unsafe order(elements[middle])
      if place == 0 { return unsafe body(elements[middle]) }
      if place > 0 { high = middle } else { low = middle &+ 1 }
    }
    return nil
  }
}

extension OrderedTree.Node {
  /// `OrderedTree.partitionPoint(seeing:)` for the elements below this node.
  @inlinable
  @inline(__always)
  func partitionPoint(seeing belongsAfter: (borrowing Element) -> Bool) -> Int {
    var before = 0
    return unsafe descend { children in
      var (low, high) = (1, children.count)
      while low < high {
        let middle = (low &+ high) / 2
        if unsafe belongsAfter(children[middle].first) { high = middle } else { low = middle &+ 1 }
      }
      for index in 0..<(low - 1) { unsafe before &+= children[index].count }
      return low - 1
    } read: { elements in
      var (low, high) = (0, elements.count)
      while low < high {
        let middle = (low &+ high) / 2
        if unsafe belongsAfter(elements[middle]) { high = middle } else { low = middle &+ 1 }
      }
      return before + low
    }
  }
}
