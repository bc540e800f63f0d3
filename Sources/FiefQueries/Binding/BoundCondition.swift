import FiefGraph

/// A condition whose comparisons are bound: a tree in an array, whose operators follow their operands.
///
///     a AND NOT (b OR TRUE AND c)        0: a   1: b   3: c   4: 1 or 3   5: not 4   6: 0 and 5
///
/// Constants and double negations are left out while it is made. No function recurses, and none takes more than linear
/// time for the whole condition.
struct BoundCondition: Sendable {
  enum Node: Sendable {
    case constant(Bool)
    /// A comparison, and what an index can answer of it.
    case test(Test, Constraint?)
    case not(Int)
    case and(Int, Int)
    case or(Int, Int)
  }

  private(set) var nodes: [Node] = []
  /// The conditions that are not joined yet, by their last nodes.
  private var roots: [Int] = []

  /// The node of the whole condition.
  var root: Int {
    assert(roots.count == 1, "The nodes are one condition.")
    return roots[0]
  }

  /// Adds a constant, a test, or an operator whose operands are no roots any more.
  mutating func append(_ node: Node) {
    roots.append(nodes.count)
    nodes.append(node)
  }

  /// Adds all nodes of another condition, which is not joined with this one yet.
  mutating func append(_ other: BoundCondition) {
    assert(!other.nodes.isEmpty, "A condition has a node.")
    let count = nodes.count
    roots.append(other.root + count)
    nodes += other.nodes.map { node in
      switch node {
      case .constant, .test: node
      case .not(let inner): .not(inner + count)
      case .and(let left, let right): .and(left + count, right + count)
      case .or(let left, let right): .or(left + count, right + count)
      }
    }
  }

  /// Negates the last condition.
  mutating func negate() {
    let inner = roots.removeLast()
    switch nodes[inner] {
    case .constant(let value): append(.constant(!value))
    case .not(let operand): roots.append(operand)
    case .test, .and, .or: append(.not(inner))
    }
  }

  /// Joins the last two conditions by AND, or by OR.
  mutating func join(and isAnd: Bool) {
    let right = roots.removeLast()
    let left = roots.removeLast()
    assert(left < right, "The operands follow each other.")
    if case .constant(let value) = nodes[left] { return roots.append(value == isAnd ? right : left) }
    if case .constant(let value) = nodes[right] { return roots.append(value == isAnd ? left : right) }
    append(isAnd ? .and(left, right) : .or(left, right))
  }

  /// The conditions that a chain of one operator joins, from left to right; the node alone if it is not such a chain.
  func members(of node: Int, and isAnd: Bool) -> [Int] {
    assert(nodes.indices.contains(node), "A chain begins at a node of the condition.")
    var members: [Int] = []
    var waiting = [node]
    while let next = waiting.popLast() {
      switch nodes[next] {
      case .and(let left, let right) where isAnd, .or(let left, let right) where !isAnd: waiting += [right, left]
      default: members.append(next)
      }
    }
    return members
  }

  /// The members of a conjunction without ranges over one column that another one contains, which is narrowed:
  /// `a >= 5 AND a < 10` is one scan.
  mutating func mergingRanges(_ members: [Int]) -> [Int] {
    assert(!members.isEmpty, "A conjunction has members.")
    var ranges: [Int: Int] = [:]
    return members.filter { member in
      guard case .test(.integers(let leaf, let range, false, false), _) = nodes[member] else { return true }
      guard let other = ranges[leaf], case .test(.integers(_, let earlier, _, _), let constraint) = nodes[other] else {
        ranges[leaf] = member
        return true
      }
      let (low, high) = (max(range.lowerBound, earlier.lowerBound), min(range.upperBound, earlier.upperBound))
      guard low <= high else { return true }
      nodes[other] = .test(.integers(leaf: leaf, low...high, isInverted: false, ofNull: false), constraint)
      return false
    }
  }

  // MARK: For indexes

  /// The parts of the condition that indexes can answer.
  var conjunction: Conjunction {
    var result = conjunction(of: root)
    for member in members(of: root, and: true) {
      guard case .or = nodes[member] else { continue }
      let branches = members(of: member, and: false).map(conjunction)
      if branches.allSatisfy({ !$0.constraints.isEmpty }) { result.alternatives.append(branches) }
    }
    assert(result.constraints.count <= result.count, "A conjunct has one constraint at most.")
    return result
  }

  private func conjunction(of node: Int) -> Conjunction {
    let members = members(of: node, and: true)
    let constraints = members.compactMap { member -> Constraint? in
      guard case .test(_, let constraint) = nodes[member] else { return nil }
      return constraint
    }
    return Conjunction(constraints: constraints, count: members.count)
  }
}
