extension OrderedTree {
  /// Appends an element. Logarithmic at worst; in place if no other tree shares the trailing edge.
  ///
  /// A full leaf at the end stays full, so a tree that grows only at its end has no half-empty nodes.
  ///
  /// - Parameter element: The element to append.
  public mutating func append(_ element: Element) {
    defer { assert(root.count == total, "A tree counts the elements of its root.") }
    if let overflow = root.append(element) { growRoot(with: Child(overflow, count: 1, first: element)) }
    total += 1
  }

  /// Inserts an element before the one at a position. Logarithmic; in place where no other tree shares the nodes.
  ///
  /// - Parameters:
  ///   - element: The element to insert.
  ///   - position: 0 ... count; traps otherwise.
  public mutating func insert(_ element: Element, at position: Int) {
    checkGap(at: position)
    if position == count { return append(element) }
    defer { assert(root.count == total, "A tree counts the elements of its root.") }
    if let overflow = root.insert(element, at: position) { growRoot(with: Child(overflow)) }
    total += 1
  }

  /// Makes a new root of the old one and a node that was split off at its right.
  mutating func growRoot(with right: Child) {
    let left = Child(root)
    root = .inner([left, right])
    assert(root.count == left.count + right.count, "A root has the elements of its halves.")
  }
}

extension OrderedTree.Node {
  /// Appends an element on the trailing edge of the tree.
  ///
  /// - Returns: The overflow, if any: a node that holds only `element` and belongs right of this one.
  mutating func append(_ element: Element) -> Self? {
    switch consume self {
    case .leaf(var elements):
      if elements.count < Tree.leafCapacity {
        Tree.makeRoom(in: &elements)
        elements.append(element)
        self = .leaf(elements)
        return nil
      }
      self = .leaf(elements)
      var next: ContiguousArray<Element> = []
      next.reserveCapacity(Tree.leafCapacity)
      next.append(element)
      return .leaf(next)
    case .inner(var children):
      let last = children.count - 1
      guard let overflow = children[last].node.append(element) else {
        children[last].count += 1
        self = .inner(children)
        return nil
      }
      let child = Tree.Child(overflow, count: 1, first: element)
      if children.count < Tree.innerCapacity {
        children.append(child)
        self = .inner(children)
        return nil
      }
      self = .inner(children)
      return .inner([child])
    }
  }

  /// Inserts an element before an existing one, or at the end of a node that is not the last.
  ///
  /// - Returns: The right half, if the node was split.
  mutating func insert(_ element: Element, at offset: Int) -> Self? {
    switch consume self {
    case .leaf(var elements):
      if elements.count < Tree.leafCapacity {
        Tree.makeRoom(in: &elements)
        elements.insert(element, at: offset)
        self = .leaf(elements)
        return nil
      }
      var right = Tree.splitInHalf(&elements)
      if offset <= elements.count {
        elements.insert(element, at: offset)
      } else {
        right.insert(element, at: offset - elements.count)
      }
      self = .leaf(elements)
      return .leaf(right)
    case .inner(var children):
      let (index, rest) = Tree.locate(offset, in: children, isGap: true)
      if rest == 0 { children[index].first = element }
      guard let overflow = children[index].node.insert(element, at: rest) else {
        children[index].count += 1
        self = .inner(children)
        return nil
      }
      let right = Tree.Child(overflow)
      children[index].count += 1 - right.count
      let half = Tree.insert(right, at: index + 1, into: &children)
      self = .inner(children)
      return half.map { .inner($0) }
    }
  }
}

extension OrderedTree {
  /// Doubles the capacity of a full array, up to the capacity of a leaf.
  static func makeRoom(in elements: inout ContiguousArray<Element>) {
    assert(elements.count < leafCapacity, "A full leaf has no room.")
    if elements.count == elements.capacity {
      elements.reserveCapacity(Swift.min(leafCapacity, elements.count * 2))
    }
  }

  /// Splits the upper half off an array.
  static func splitInHalf<Entry>(_ entries: inout ContiguousArray<Entry>) -> ContiguousArray<Entry> {
    assert(entries.count > 1, "Halves are not empty.")
    let all = entries
    entries = ContiguousArray(all[..<(all.count / 2)])
    return ContiguousArray(all[(all.count / 2)...])
  }

  /// Inserts a child.
  ///
  /// - Returns: The right half of the children, if they exceeded the capacity.
  static func insert(
    _ child: Child, at index: Int, into children: inout ContiguousArray<Child>
  ) -> ContiguousArray<Child>? {
    assert(child.count > 0, "A child has elements.")
    children.insert(child, at: index)
    return children.count > innerCapacity ? splitInHalf(&children) : nil
  }
}
