/// Puts a condition together operand by operand, in the order in which its nodes lie: each step costs what it adds,
/// however much there is already.
package struct PredicateAssembly {
  private var nodes: [QueryPredicate.Node] = []
  /// Where each operand begins that was not joined yet.
  private var starts: [Int] = []

  /// An empty one.
  package init() {}

  /// The condition; the one that always holds, when nothing was put in.
  package var predicate: QueryPredicate { nodes.isEmpty ? QueryPredicate(true) : QueryPredicate(unchecked: nodes) }

  /// Adds an operand.
  package mutating func append(_ condition: QueryPredicate) {
    starts.append(nodes.count)
    nodes += condition.nodes
  }

  /// Turns the last operand around.
  package mutating func negate() { nodes.append(.not) }

  /// Joins the last two operands to one. A constant that says nothing is left out.
  package mutating func join(and isAnd: Bool) {
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
