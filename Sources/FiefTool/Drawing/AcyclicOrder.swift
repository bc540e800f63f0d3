/// An order of nodes in which few arcs lead backwards: those that close cycles.
///
/// Nodes without successors go to the end, nodes without predecessors to the beginning, and otherwise the node with
/// the most arcs more out than in goes to the beginning (Eades, Lin and Smyth, 1993). At most half of the arcs lead
/// backwards, less a sixth of the nodes; none does if there is no cycle.
struct AcyclicOrder {
  /// The position of each node in the order.
  private(set) var positions: [Int]

  /// - Parameters:
  ///   - count: the number of nodes.
  ///   - arcs: the arcs, without loops.
  /// - Complexity: O(n² + m).
  init(count: Int, _ arcs: [(from: Int, to: Int)]) {
    positions = Array(repeating: 0, count: count)
    let neighbours = Neighbours(count: count, arcs.lazy.map { ($0.from, $0.to) })
    let (out, into) = (neighbours.lower, neighbours.upper)
    var (outCounts, inCounts) = (out.map(\.count), into.map(\.count))
    var rest = Array(0..<count)
    var isLeft = Array(repeating: true, count: count)
    var (first, last) = (0, count - 1)
    func take(_ node: Int) {
      isLeft[node] = false
      for target in out[node] { inCounts[target] -= 1 }
      for origin in into[node] { outCounts[origin] -= 1 }
    }
    while !rest.isEmpty {
      var isTaken = false
      for node in rest.reversed() where outCounts[node] == 0 && inCounts[node] > 0 {
        take(node)
        positions[node] = last
        last -= 1
        isTaken = true
      }
      rest.removeAll { !isLeft[$0] }
      for node in rest where inCounts[node] == 0 {
        take(node)
        positions[node] = first
        first += 1
        isTaken = true
      }
      rest.removeAll { !isLeft[$0] }
      if isTaken { continue }
      guard let node = rest.max(by: { outCounts[$0] - inCounts[$0] < outCounts[$1] - inCounts[$1] }) else { return }
      take(node)
      positions[node] = first
      first += 1
      rest.removeAll { !isLeft[$0] }
    }
  }
}
