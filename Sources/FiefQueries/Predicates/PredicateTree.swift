/// A part of a tree of conditions, whatever its nodes are: typed conditions, predicates of Foundation, expressions.
package enum PredicateTree<Part> {
  case condition(QueryPredicate)
  /// Parts that `and` or `or` joins, or one that `not` negates; never empty.
  case joined(QueryPredicate.Node, [Part])
}

extension QueryPredicate {
  /// The condition of a tree. Constants that change nothing are left out.
  ///
  /// A work list reads the parts, because programs join conditions in loops. Linear in the tree and its conditions.
  ///
  /// - Parameter read: returns what a part is; nil if it is no condition, and then nor is the tree.
  package init?<Part>(tree root: Part, _ read: (Part) -> PredicateTree<Part>?) {
    var nodes: [Node] = []
    /// The starts of the operands that are not joined yet.
    var starts: [Int] = []
    // Each part, or the operator that follows its operands.
    var work: [(part: Part?, joint: Node)] = [(root, .not)]
    while let (part, joint) = work.popLast() {
      guard let part else {
        if joint == .not { nodes.append(.not) } else { Self.join(&nodes, &starts, by: joint) }
        continue
      }
      switch read(part) {
      case nil: return nil
      case .condition(let condition)?:
        starts.append(nodes.count)
        nodes += condition.nodes
      case .joined(let joint, let parts)?:
        assert(joint == .not ? parts.count == 1 : !parts.isEmpty, "An operator has operands.")
        for (number, part) in parts.enumerated().reversed() {
          if number > 0 || joint == .not { work.append((nil, joint)) }
          work.append((part, joint))
        }
      }
    }
    assert(starts == [0], "The nodes are one condition.")
    self.init(unchecked: nodes)
  }

  /// Joins the last two operands.
  private static func join(_ nodes: inout [Node], _ starts: inout [Int], by joint: Node) {
    let right = starts.removeLast()
    let neutral = Node.constant(joint == .and)
    if right == nodes.count - 1, nodes[right] == neutral {
      nodes.removeLast()
    } else if let left = starts.last, left == right - 1, nodes[left] == neutral {
      nodes.remove(at: left)
    } else {
      nodes.append(joint)
    }
  }
}
