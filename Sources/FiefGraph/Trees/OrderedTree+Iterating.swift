extension OrderedTree {
  /// A position on a leaf, which can move to the neighbouring leaves.
  ///
  /// The cursor holds the leaf's parent, so most steps stay within one array. Other steps descend from the root. It
  /// needs no stack and no allocation.
  @usableFromInline
  @frozen
  struct LeafCursor {
    @usableFromInline let root: Node
    @usableFromInline let count: Int
    /// The parent's children; empty if the root is a leaf.
    @usableFromInline var siblings: ContiguousArray<Child> = []
    /// The leaf's index among its siblings.
    @usableFromInline var index = 0
    @usableFromInline var leaf: ContiguousArray<Element> = []
    /// The position of the leaf's first element.
    @usableFromInline var start = 0

    /// Makes a cursor on the leaf with the element at `position`, or on the last leaf if `position` is the end.
    @inlinable
    init(_ tree: OrderedTree, at position: Int) {
      root = tree.root
      count = tree.count
      assert(0...count ~= position, "A cursor begins at a gap of the tree.")
      seek(position)
    }

    @inlinable
    mutating func seek(_ position: Int) {
      var node = root
      var rest = position
      while case .inner(let children) = node {
        siblings = children
        index = 0
        while index < children.count - 1 && rest >= children[index].count {
          rest -= children[index].count
          index += 1
        }
        node = children[index].node
      }
      start = position - rest
      enter(node)
      assert(start >= 0 && rest <= leaf.count, "The leaf of a position contains it.")
    }

    @inlinable
    mutating func enter(_ node: Node) {
      guard case .leaf(let elements) = node else { fatalError("Every way down a tree ends in a leaf.") }
      leaf = elements
    }

    /// Moves to the next leaf; returns false on the last one.
    @inlinable
    mutating func stepForward() -> Bool {
      let next = start + leaf.count
      if next >= count { return false }
      if index + 1 < siblings.count {
        index += 1
        start = next
        enter(siblings[index].node)
      } else {
        seek(next)
      }
      return true
    }

    /// Moves to the previous leaf; returns false on the first one.
    @inlinable
    mutating func stepBack() -> Bool {
      if start == 0 { return false }
      if index > 0 {
        index -= 1
        enter(siblings[index].node)
        start -= leaf.count
      } else {
        seek(start - 1)
      }
      assert(start >= 0, "A leaf begins at or after the first element.")
      return true
    }
  }

  /// Iterates over the elements in order. Constant time for each, amortised; holds the version that it was made from.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: LeafCursor
    @usableFromInline var offset: Int

    @inlinable
    init(_ tree: OrderedTree, from position: Int) {
      cursor = LeafCursor(tree, at: position)
      offset = position - cursor.start
    }

    /// The next element, or nil after the last.
    @inlinable
    public mutating func next() -> Element? {
      assert(offset <= cursor.leaf.count, "An iterator is at an element of its leaf, or at its end.")
      if offset == cursor.leaf.count {
        if !cursor.stepForward() { return nil }
        offset = 0
      }
      let element = cursor.leaf[offset]
      offset += 1
      return element
    }
  }

  /// Iterates over the elements from a position down to the front. Constant time for each, amortised.
  @frozen
  public struct ReverseIterator: IteratorProtocol, Sequence {
    @usableFromInline var cursor: LeafCursor
    @usableFromInline var offset: Int

    @inlinable
    init(_ tree: OrderedTree, before position: Int) {
      cursor = LeafCursor(tree, at: position)
      offset = position - cursor.start
    }

    /// The previous element, or nil at the front.
    @inlinable
    public mutating func next() -> Element? {
      if offset == 0 {
        if !cursor.stepBack() { return nil }
        offset = cursor.leaf.count
      }
      offset -= 1
      return cursor.leaf[offset]
    }
  }

  /// Makes an iterator over all elements in order.
  @inlinable public func makeIterator() -> Iterator { Iterator(self, from: 0) }

  /// Makes an iterator over the elements from a position to the end. Logarithmic.
  ///
  /// - Parameter position: 0 ... count; traps otherwise.
  @inlinable
  public func iterator(from position: Int) -> Iterator {
    checkGap(at: position)
    return Iterator(self, from: position)
  }

  /// Makes an iterator over the elements before a position, last first. Logarithmic.
  ///
  /// - Parameter position: 0 ... count; traps otherwise.
  @inlinable
  public func reverseIterator(before position: Int) -> ReverseIterator {
    checkGap(at: position)
    return ReverseIterator(self, before: position)
  }

  /// The results of a closure for the elements of a range, in order. Traps if the range is not within 0 ... count.
  @inlinable
  package func map<Result>(in range: Range<Int>, _ body: (Element) -> Result) -> ContiguousArray<Result> {
    var results = ContiguousArray<Result>()
    results.reserveCapacity(range.count)
    forEachLeaf(in: range) { slice, _ in
      for element in slice { results.append(body(element)) }
      return true
    }
    assert(results.count == range.count, "Each element of the range has a result.")
    return results
  }

  /// Calls a closure with the elements of a range leaf by leaf, as they lie in memory. This is the fast way to scan.
  ///
  /// - Parameters:
  ///   - range: Positions within 0 ... count; traps otherwise.
  ///   - body: Receives consecutive elements and the position of the first of them, and returns whether to continue.
  ///     The indices of the slice are not positions in the tree.
  @inlinable
  public func forEachLeaf(in range: Range<Int>, _ body: (ArraySlice<Element>, Int) throws -> Bool) rethrows {
    checkRange(range)
    if range.isEmpty { return }
    var cursor = LeafCursor(self, at: range.lowerBound)
    var position = range.lowerBound
    while true {
      let end = Swift.min(cursor.leaf.count, range.upperBound - cursor.start)
      assert(cursor.start <= position && position < cursor.start + end, "A leaf has elements of the range.")
      let slice = cursor.leaf[(position - cursor.start)..<end]
      if try !body(slice, position) { return }
      position = cursor.start + end
      if position == range.upperBound || !cursor.stepForward() { return }
    }
  }
}

extension OrderedTree.LeafCursor: Sendable where Element: Sendable {}
extension OrderedTree.Iterator: Sendable where Element: Sendable {}
extension OrderedTree.ReverseIterator: Sendable where Element: Sendable {}
