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

  /// The positions of the subqueries that begin before each node, the outermost first. Takes linear time.
  package var openings: [Int: [Int]] {
    var openings: [Int: [Int]] = [:]
    guard nodes.contains(where: { if case .subquery = $0 { true } else { false } }) else { return openings }
    let starts = starts
    for index in nodes.indices.reversed() {
      if case .subquery = nodes[index] { openings[starts[index], default: []].append(index) }
    }
    assert(openings.values.allSatisfy { $0 == $0.sorted(by: >) }, "An outer subquery ends behind an inner one.")
    return openings
  }
}
