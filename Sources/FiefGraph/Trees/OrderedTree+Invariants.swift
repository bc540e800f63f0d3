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
    var faults: [String] = []
    let actual = root.checkInvariants(path: "root", isRoot: true, onTrailingEdge: true, areIdentical, &faults)
    if actual != count { faults.append("root: the tree says \(count) elements and has \(actual)") }
    guard let isOrdered, faults.isEmpty else { return faults }
    var previous: Element?
    var position = 0
    for element in self {
      if let previous, !isOrdered(previous, element) {
        faults.append("position \(position): the element may not follow the one before")
      }
      previous = element
      position += 1
    }
    return faults
  }
}

extension OrderedTree.Node {
  /// Checks this node and all nodes below it.
  ///
  /// - Returns: The actual number of elements.
  func checkInvariants(
    path: String, isRoot: Bool, onTrailingEdge: Bool,
    _ areIdentical: ((Element, Element) -> Bool)?, _ faults: inout [String]
  ) -> Int {
    if occupancy > capacity { faults.append("\(path): \(occupancy) entries, more than \(capacity)") }
    if !isRoot && !onTrailingEdge && isUnderfull {
      faults.append("\(path): \(occupancy) entries, fewer than \(Tree.minimum(ofCapacity: capacity))")
    }
    if !isRoot && occupancy == 0 { faults.append("\(path): empty") }
    guard case .inner(let children) = self else { return occupancy }
    if isRoot && children.count < 2 { faults.append("\(path): an inner root with \(children.count) children") }
    var total = 0
    for (index, child) in children.enumerated() {
      let childPath = "\(path)/\(index)"
      if child.node.height != height - 1 { faults.append("\(childPath): not as high as its siblings") }
      let actual = child.node.checkInvariants(
        path: childPath, isRoot: false, onTrailingEdge: onTrailingEdge && index == children.count - 1,
        areIdentical, &faults)
      if actual != child.count { faults.append("\(childPath): the parent says \(child.count) elements, not \(actual)") }
      if actual > 0, let areIdentical, !areIdentical(child.first, child.node.first) {
        faults.append("\(childPath): the separator is not the first element")
      }
      total += actual
    }
    return total
  }
}
