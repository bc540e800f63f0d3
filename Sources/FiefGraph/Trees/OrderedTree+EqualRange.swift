extension OrderedTree {
  /// The positions of the elements that are equal to something, in a tree that is in its order.
  ///
  /// The way to the first and the way to the end of them are gone together as far as they are one. Logarithmic.
  ///
  /// - Parameter order: how an element stands to it: negative before, zero equal, positive after.
  @inlinable
  @inline(__always)
  func equalRange(seeing order: (borrowing Element) -> Int) -> Range<Int> {
    // The arguments why going down counts no references are those of `descend`: the root is held, and no pointer kept.
    withExtendedLifetime(root) {
      var before = 0
      var step = root.below
      while case .inner(let children) = step {
        var (low, high) = (1, children.count)
        while low < high {
          let middle = (low &+ high) / 2
          if order(children[middle].first) >= 0 { high = middle } else { low = middle &+ 1 }
        }
        for index in 0..<(low - 1) { before &+= children[index].count }
        // Few are equal, as a rule: the end of them is near.
        var end = low
        while end < children.count, order(children[end].first) <= 0 { end += 1 }
        if end == low {
          step = children[low - 1].node.below
          continue
        }
        let first = before + children[low - 1].node.partitionPoint(seeing: { order($0) >= 0 })
        for index in (low - 1)..<(end - 1) { before &+= children[index].count }
        return first..<(before + children[end - 1].node.partitionPoint(seeing: { order($0) > 0 }))
      }
      guard case .leaf(let elements) = step else { fatalError("Every way down a tree ends in a leaf.") }
      var (low, high) = (0, elements.count)
      while low < high {
        let middle = (low &+ high) / 2
        if order(elements[middle]) >= 0 { high = middle } else { low = middle &+ 1 }
      }
      var end = low
      while end < elements.count, order(elements[end]) == 0 { end += 1 }
      return (before + low)..<(before + end)
    }
  }
}

extension OrderedTree.Node.Borrowed {
  /// What a closure reads of the element that is equal to something, in a tree that is in its order; nil when none is.
  ///
  /// One way down, without asking for the position: of what comes before the element nothing is read but what the
  /// search compares.
  ///
  /// - Parameters:
  ///   - body: reads an element where it lies.
  ///   - order: how an element stands to what is sought: negative before, zero equal, positive after.
  @inline(__always)
  func read<Result>(_ body: (borrowing Element) -> Result, seeing order: (borrowing Element) -> Int) -> Result? {
    // The arguments why going down counts no references are those of `descend`.
    var step = self
    while case .inner(let children) = step {
      var (low, high) = (1, children.count)
      while low < high {
        let middle = (low &+ high) / 2
        if order(children[middle].first) > 0 { high = middle } else { low = middle &+ 1 }
      }
      step = children[low &- 1].node.below
    }
    guard case .leaf(let elements) = step else { fatalError("Every way down a tree ends in a leaf.") }
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low &+ high) / 2
      let place = order(elements[middle])
      if place == 0 { return body(elements[middle]) }
      if place > 0 { high = middle } else { low = middle &+ 1 }
    }
    return nil
  }
}

extension OrderedTree.Node {
  /// `OrderedTree.partitionPoint(seeing:)` of what the node carries.
  @inlinable
  @inline(__always)
  func partitionPoint(seeing belongsAfter: (borrowing Element) -> Bool) -> Int {
    var before = 0
    return descend { children in
      var (low, high) = (1, children.count)
      while low < high {
        let middle = (low &+ high) / 2
        if belongsAfter(children[middle].first) { high = middle } else { low = middle &+ 1 }
      }
      for index in 0..<(low - 1) { before &+= children[index].count }
      return low - 1
    } read: { elements in
      var (low, high) = (0, elements.count)
      while low < high {
        let middle = (low &+ high) / 2
        if belongsAfter(elements[middle]) { high = middle } else { low = middle &+ 1 }
      }
      return before + low
    }
  }
}
