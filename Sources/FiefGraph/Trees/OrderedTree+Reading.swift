extension OrderedTree: RandomAccessCollection {
  /// Always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of elements, ``count``.
  @inlinable public var endIndex: Int { count }

  /// The element at a position. Logarithmic: one short scan for each level, five levels for a million numbers.
  ///
  /// - Parameter position: 0 ..< count; traps otherwise.
  @inlinable
  public subscript(position: Int) -> Element {
    checkElement(at: position)
    return root.element(at: position)
  }

  /// The last element, or nil if the tree is empty. Logarithmic.
  @inlinable public var last: Element? { isEmpty ? nil : root.last }

  /// The first position whose element satisfies a condition, or ``count`` if none does.
  ///
  /// Sorted collections are searched this way: `tree.partitionPoint { $0 >= key }` is the position of `key`, or where
  /// to insert it. Binary search in one node of each level: logarithmic, about log2(count) calls of the closure, which
  /// reads the elements in place.
  ///
  /// - Parameter belongsAfter: False for all elements up to some position and true from there on.
  @inlinable
  @inline(__always)
  public func partitionPoint(where belongsAfter: (borrowing Element) throws -> Bool) rethrows -> Int {
    var before = 0
    return try unsafe root.descend { children in
      // The partition point lies in the last child that begins before it. If even the first child of the root begins
      // after the point, the search arrives at position 0 of the first leaf, which is correct, too.
      var low = 1
      var high = children.count
      while low < high {
        let middle = (low &+ high) / 2
        if try unsafe belongsAfter(children[middle].first) { high = middle } else { low = middle &+ 1 }
      }
      for index in 0..<(low - 1) { unsafe before &+= children[index].count }
      return low - 1
    } read: { elements in
      var low = 0
      var high = elements.count
      while low < high {
        let middle = (low &+ high) / 2
        if try unsafe belongsAfter(elements[middle]) { high = middle } else { low = middle &+ 1 }
      }
      return before + low
    }
  }

  /// Calls `body` with all elements in one buffer if the tree is a single leaf, and returns nil otherwise.
  ///
  /// - Parameter body: Reads the elements; the buffer must not outlive the call.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R? {
    guard case .leaf(let elements) = root else { return nil }
    return try unsafe elements.withUnsafeBufferPointer(body)
  }
}

extension OrderedTree.Node {
  /// The element at an offset that must exist.
  @inlinable
  func element(at offset: Int) -> Element {
    var rest = offset
    return unsafe descend { children in
      var index = 0
      while unsafe rest >= children[index].count {
        unsafe rest &-= children[index].count
        index &+= 1
      }
      return index
    } read: {
      unsafe $0[rest]
    }
  }

  /// The last element. The node must not be empty.
  @inlinable
  var last: Element {
    unsafe descend {
      $0.count - 1
    } read: {
      unsafe $0[$0.count - 1]
    }
  }
}
