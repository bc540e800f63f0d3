extension OrderedTree {
  /// Replaces the element at a position. Logarithmic; in place where no other tree shares the nodes.
  ///
  /// - Parameters:
  ///   - position: 0 ..< count; traps otherwise.
  ///   - element: The new element.
  /// - Returns: The replaced element.
  @discardableResult
  public mutating func replace(at position: Int, with element: Element) -> Element {
    update(at: position) { slot in
      let old = slot
      slot = element
      return old
    }
  }

  /// Calls a closure that changes an element in place. Logarithmic; only nodes that another tree shares are copied.
  ///
  /// The parent node also holds the first element of a leaf, so storage that such an element refers to is not uniquely
  /// referenced while `body` runs. If `body` throws, its changes to the element remain.
  ///
  /// - Parameters:
  ///   - position: 0 ..< count; traps otherwise.
  ///   - body: Changes the element. It must not use the tree.
  /// - Returns: The result of `body`.
  @discardableResult
  public mutating func update<R>(at position: Int, _ body: (inout Element) throws -> R) rethrows -> R {
    checkElement(at: position)
    return try root.update(at: position, body)
  }

  /// Swaps two elements. Logarithmic.
  ///
  /// - Parameters:
  ///   - first: 0 ..< count; traps otherwise.
  ///   - second: 0 ..< count; traps otherwise.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    checkElement(at: first)
    checkElement(at: second)
    if first == second { return }
    let element = root.element(at: first)
    let before = count
    defer { assert(count == before, "A swap keeps the number of elements.") }
    replace(at: first, with: replace(at: second, with: element))
  }

  /// Moves an element to another position. Logarithmic.
  ///
  /// - Parameters:
  ///   - source: Its position: 0 ..< count; traps otherwise.
  ///   - target: Its position after the move: 0 ..< count; traps otherwise.
  public mutating func move(from source: Int, to target: Int) {
    checkElement(at: source)
    checkElement(at: target)
    if source == target { return }
    let before = count
    defer { assert(count == before, "A move keeps the number of elements.") }
    insert(remove(at: source), at: target)
  }
}

extension OrderedTree.Node {
  /// Calls a closure that changes the element at an offset that must exist. Updates separators even if the closure
  /// throws.
  mutating func update<R>(at offset: Int, _ body: (inout Element) throws -> R) rethrows -> R {
    switch consume self {
    case .leaf(var elements):
      self = .empty
      defer { self = .leaf(elements) }
      return try body(&elements[offset])
    case .inner(var children):
      self = .empty
      let (index, rest) = Tree.locate(offset, in: children)
      defer {
        if rest == 0 { children[index].first = children[index].node.first }
        self = .inner(children)
      }
      return try children[index].node.update(at: rest, body)
    }
  }
}
