extension QueryPredicate {
  /// For each node, where its operands begin: node `i` and all that it joins are `nodes[starts[i]...i]`. Linear.
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
