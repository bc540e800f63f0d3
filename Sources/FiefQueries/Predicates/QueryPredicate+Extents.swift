extension QueryPredicate {
  /// The start of each node's operands: node `i` and its operands are `nodes[starts[i]...i]`. Takes linear time.
  package var starts: [Int] {
    var starts: [Int] = []
    starts.reserveCapacity(nodes.count)
    for (place, node) in nodes.enumerated() {
      switch node {
      case .constant, .comparison: starts.append(place)
      case .not, .subquery: starts.append(starts[place - 1])
      case .and, .or: starts.append(starts[starts[place - 1] - 1])
      }
    }
    return starts
  }
}
