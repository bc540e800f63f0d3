extension OrderedTree {
  /// Puts an element in the place of another. Logarithmic; in place where no other tree shares the nodes.
  ///
  /// - Parameters:
  ///   - position: 0 ..< count; traps otherwise.
  ///   - element: What to put there.
  /// - Returns: The element that was there.
  @inlinable
  @discardableResult
  public mutating func replace(at position: Int, with element: Element) -> Element {
    update(at: position) { slot in
      let old = slot
      slot = element
      return old
    }
  }

  /// Lets a closure change an element where it lies. Logarithmic; no node is copied that no other tree shares.
  ///
  /// The first element of a leaf is also held by the node above, so storage that such an element refers to is not
  /// uniquely referenced while `body` runs. If `body` throws, what it changed before stays changed.
  ///
  /// - Parameters:
  ///   - position: 0 ..< count; traps otherwise.
  ///   - body: Changes the element. It must not use the tree.
  /// - Returns: What `body` returns.
  @inlinable
  @discardableResult
  public mutating func update<R>(at position: Int, _ body: (inout Element) throws -> R) rethrows -> R {
    checkElement(at: position)
    return try root.update(at: position, body)
  }

  /// Exchanges two elements. Logarithmic.
  ///
  /// - Parameters:
  ///   - first: 0 ..< count; traps otherwise.
  ///   - second: 0 ..< count; traps otherwise.
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    checkElement(at: first)
    checkElement(at: second)
    if first == second { return }
    let element = root.element(at: first)
    replace(at: first, with: replace(at: second, with: element))
  }

  /// Takes an element out and puts it back somewhere else. Logarithmic.
  ///
  /// - Parameters:
  ///   - source: Where it is: 0 ..< count; traps otherwise.
  ///   - target: Where it shall be in the end: 0 ..< count; traps otherwise.
  @inlinable
  public mutating func move(from source: Int, to target: Int) {
    checkElement(at: source)
    checkElement(at: target)
    if source == target { return }
    insert(remove(at: source), at: target)
  }
}

extension OrderedTree.Node {
  /// Lets a closure change the element at an offset that must exist, and keeps separators right even if it throws.
  @inlinable
  mutating func update<R>(at offset: Int, _ body: (inout Element) throws -> R) rethrows -> R {
    switch consume self {
    case .leaf(var elements):
      self = .empty
      defer { self = .leaf(elements) }
      return try body(&elements[offset])
    case .inner(var children):
      self = .empty
      var index = 0
      var rest = offset
      while rest >= children[index].count {
        rest -= children[index].count
        index += 1
      }
      defer {
        if rest == 0 { children[index].first = children[index].node.first }
        self = .inner(children)
      }
      return try children[index].node.update(at: rest, body)
    }
  }
}
