/// Builds a condition operand by operand, in the order of its nodes. Each step takes time in the size of its operand,
/// whatever the size of the condition so far.
package struct PredicateAssembly {
  private var nodes: [QueryPredicate.Node] = []
  /// The starts of the operands that are not joined yet.
  private var starts: [Int] = []

  package init() {}

  /// The condition. Without operands it is the one that always holds.
  package var predicate: QueryPredicate { nodes.isEmpty ? QueryPredicate(true) : QueryPredicate(unchecked: nodes) }

  /// Adds an operand.
  package mutating func append(_ condition: QueryPredicate) {
    assert(!condition.nodes.isEmpty, "An operand has a node.")
    starts.append(nodes.count)
    nodes += condition.nodes
  }

  /// Negates the last operand.
  package mutating func negate() {
    assert(!starts.isEmpty, "An operand is negated.")
    nodes.append(.not)
  }

  /// Joins the last two operands. A neutral constant is left out.
  package mutating func join(and isAnd: Bool) {
    assert(starts.count > 1, "Two operands are joined.")
    let right = starts.removeLast()
    let left = starts[starts.count - 1]
    if right == nodes.count - 1, nodes[right] == .constant(isAnd) {
      nodes.removeLast()
    } else if left == right - 1, nodes[left] == .constant(isAnd) {
      nodes.remove(at: left)
    } else {
      nodes.append(isAnd ? .and : .or)
    }
  }
}
