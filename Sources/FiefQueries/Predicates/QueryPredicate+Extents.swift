extension QueryPredicate {
  /// The start of each node's operands: node `i` and its operands are `nodes[starts[i]...i]`. Takes linear time.
  package var starts: [Int] {
    var starts: [Int] = []
    starts.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      switch node {
      case .constant, .comparison: starts.append(index)
      case .not, .subquery: starts.append(starts[index - 1])
      case .and, .or: starts.append(starts[starts[index - 1] - 1])
      }
    }
    assert(starts.last == 0, "The last node has all others as operands.")
    return starts
  }
}
