extension OrderedTree {
  /// Checks the invariants of every node. Linear.
  ///
  /// - Parameters:
  ///   - areIdentical: Whether two elements are identical. Nil leaves the separators unchecked.
  ///   - isOrdered: Whether the second of two neighbours may follow the first. Nil leaves the order unchecked.
  /// - Returns: A sentence for each fault, with the path from the root to it. Empty if the tree is sound.
  public func checkInvariants(
    areIdentical: ((Element, Element) -> Bool)? = nil,
    isOrdered: ((Element, Element) -> Bool)? = nil
  ) -> [String] {
    let faults = root.outline(count: count, hasFirst: true, areIdentical).faults()
    guard let isOrdered, faults.isEmpty else { return faults }
    var misplaced: [Int] = []
    var previous: Element?
    for (position, element) in enumerated() {
      if let previous, !isOrdered(previous, element) { misplaced.append(position) }
      previous = element
    }
    return NodeOutline.faults(misplaced: misplaced)
  }
}

extension OrderedTree.Node {
  /// - Parameters:
  ///   - count: How many elements the parent says that this node has.
  ///   - hasFirst: Whether the first of them is what the parent says.
  fileprivate func outline(count: Int, hasFirst: Bool, _ areIdentical: ((Element, Element) -> Bool)?) -> NodeOutline {
    var outline = NodeOutline(occupancy: occupancy, capacity: capacity, count: count, hasFirst: hasFirst)
    guard case .inner(let children) = self else { return outline }
    outline.children = []
    for child in children {
      let hasFirst = child.node.occupancy == 0 || areIdentical?(child.first, child.node.first) != false
      outline.children?.append(child.node.outline(count: child.count, hasFirst: hasFirst, areIdentical))
    }
    return outline
  }
}

/// What a node is, and what its parent says of it: all that the checks read. So they are compiled once, for all types
/// of elements.
private struct NodeOutline {
  let occupancy: Int
  let capacity: Int
  /// The number of elements that the parent says.
  let count: Int
  /// Whether the parent says the first element.
  let hasFirst: Bool
  /// Nil for a leaf.
  var children: [NodeOutline]?

  private var height: Int { children.map { 1 + ($0.first?.height ?? 0) } ?? 0 }

  /// The faults of a tree with this root.
  func faults() -> [String] {
    var faults: [String] = []
    let actual = check("root", isRoot: true, onTrailingEdge: true, &faults)
    if actual != count { faults.append("root: the tree says \(count) elements and has \(actual)") }
    return faults
  }

  static func faults(misplaced positions: [Int]) -> [String] {
    positions.map { "position \($0): the element may not follow the one before" }
  }

  /// Checks this node and all nodes below it.
  ///
  /// - Returns: The actual number of elements.
  private func check(_ path: String, isRoot: Bool, onTrailingEdge: Bool, _ faults: inout [String]) -> Int {
    if occupancy > capacity { faults.append("\(path): \(occupancy) entries, more than \(capacity)") }
    let minimum = OrderedTree<Never>.minimum(ofCapacity: capacity)
    if !isRoot && !onTrailingEdge && occupancy < minimum {
      faults.append("\(path): \(occupancy) entries, fewer than \(minimum)")
    }
    if !isRoot && occupancy == 0 { faults.append("\(path): empty") }
    guard let children else { return occupancy }
    if isRoot && children.count < 2 { faults.append("\(path): an inner root with \(children.count) children") }
    var total = 0
    for (index, child) in children.enumerated() {
      let childPath = "\(path)/\(index)"
      if child.height != height - 1 { faults.append("\(childPath): not as high as its siblings") }
      let isLast = index == children.count - 1
      let actual = child.check(childPath, isRoot: false, onTrailingEdge: onTrailingEdge && isLast, &faults)
      if actual != child.count { faults.append("\(childPath): the parent says \(child.count) elements, not \(actual)") }
      if !child.hasFirst { faults.append("\(childPath): the separator is not the first element") }
      total += actual
    }
    return total
  }
}
