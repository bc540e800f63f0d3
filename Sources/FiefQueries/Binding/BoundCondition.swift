import FiefGraph

/// A condition in postfix order, as its predicate has it, with bound comparisons in place of those that name properties.
///
///     a AND NOT (b OR TRUE AND c)        [a] [b] [TRUE] [c] [and] [or] [not] [and]
///
/// It says what each node is once constants are left out and chains of an operator are one node. No function recurses,
/// and none takes more than linear time for the whole condition.
struct BoundCondition: Sendable {
  /// An element of the postfix array.
  enum Step: Sendable {
    case test(Int)
    case constant(Bool)
    case not, and, or
  }

  /// What a node is.
  enum Node {
    case constant(Bool)
    case test(Int)
    case not(Int)
    case and([Int])
    case or([Int])
  }

  private let steps: [Step]
  /// For each node, the start of its operands.
  private var starts: [Int] = []
  /// For each node, its result if that is the same for every row.
  private var constants: [Bool?] = []

  /// - Parameter steps: one condition; never empty.
  init(_ steps: [Step]) {
    self.steps = steps
    starts.reserveCapacity(steps.count)
    constants.reserveCapacity(steps.count)
    for (index, step) in steps.enumerated() {
      switch step {
      case .test:
        starts.append(index)
        constants.append(nil)
      case .constant(let value):
        starts.append(index)
        constants.append(value)
      case .not:
        starts.append(starts[index - 1])
        constants.append(constants[index - 1].map { !$0 })
      case .and, .or:
        let (left, right) = operands(of: index)
        // A constant that decides the result replaces both operands.
        let decisive = step.isOr
        let isDecided = constants[left] == decisive || constants[right] == decisive
        let isNeutral = constants[left] != nil && constants[right] != nil
        starts.append(starts[left])
        constants.append(isDecided ? decisive : isNeutral ? !decisive : nil)
      }
    }
    assert(starts.last == 0, "The steps are one condition in postfix order.")
  }

  /// The node of the whole condition.
  var root: Int { starts.count - 1 }

  private func operands(of node: Int) -> (left: Int, right: Int) { (starts[node - 1] - 1, node - 1) }

  /// The node that a node is without constants and double negations. Takes time in the number of nodes that are left
  /// out.
  private func simplified(_ node: Int) -> Int {
    var node = node
    while constants[node] == nil {
      switch steps[node] {
      case .test, .constant: return node
      case .not:
        let inner = simplifiedOperators(node - 1)
        guard case .not = steps[inner] else { return node }
        node = inner - 1
      case .and, .or:
        let only = simplifiedOperators(node)
        if only == node { return node }
        node = only
      }
    }
    return node
  }

  /// The node without the operators of which one operand is a constant.
  private func simplifiedOperators(_ node: Int) -> Int {
    var node = node
    while constants[node] == nil {
      switch steps[node] {
      case .test, .constant, .not: return node
      case .and, .or:
        let (left, right) = operands(of: node)
        if constants[left] != nil {
          node = right
        } else if constants[right] != nil {
          node = left
        } else {
          return node
        }
      }
    }
    return node
  }

  /// What a node is. Chains of one operator are one node.
  func node(_ index: Int) -> Node {
    let index = simplified(index)
    if let value = constants[index] { return .constant(value) }
    switch steps[index] {
    case .test(let test): return .test(test)
    case .constant(let value): return .constant(value)
    case .not: return .not(simplified(index - 1))
    case .and: return .and(members(of: index, areJoinedByOr: false))
    case .or: return .or(members(of: index, areJoinedByOr: true))
    }
  }

  /// The conditions that a chain of one operator joins, from left to right.
  private func members(of node: Int, areJoinedByOr isOr: Bool) -> [Int] {
    var members: [Int] = []
    var waiting = [node]
    while let next = waiting.popLast() {
      let next = simplified(next)
      switch steps[next] {
      case .and where !isOr && constants[next] == nil, .or where isOr && constants[next] == nil:
        let (left, right) = operands(of: next)
        waiting.append(right)
        waiting.append(left)
      default: members.append(next)
      }
    }
    assert(members.count > 1 && members.allSatisfy { constants[$0] == nil }, "A chain joins conditions.")
    return members
  }

  // MARK: For indexes

  /// The parts of the condition that indexes can answer. Single constraints come from the conjuncts that are
  /// comparisons. Alternatives come from the disjunctions in which every branch has a constraint.
  ///
  /// - Parameter constraints: those of the tests, by their numbers.
  func constraints(_ constraints: [Int: Constraint]) -> Constraints {
    let root = node(root)
    var result = Self.constraints(of: root, constraints, in: self)
    for member in members(of: root) {
      guard case .or(let members) = member else { continue }
      let branches = members.map { Self.constraints(of: node($0), constraints, in: self) }
      if branches.allSatisfy({ !$0.single.isEmpty }) { result.alternatives.append(branches) }
    }
    assert(result.single.count <= result.conjuncts, "A conjunct has one constraint at most.")
    return result
  }

  /// The conditions whose conjunction is a node.
  private func members(of node: Node) -> [Node] {
    if case .and(let members) = node { return members.map { self.node($0) } }
    return [node]
  }

  private static func constraints(
    of node: Node, _ constraints: [Int: Constraint], in condition: BoundCondition
  ) -> Constraints {
    let members = condition.members(of: node)
    let single = members.compactMap { member -> Constraint? in
      guard case .test(let test) = member else { return nil }
      return constraints[test]
    }
    return Constraints(single: single, conjuncts: members.count)
  }
}

extension BoundCondition.Step {
  fileprivate var isOr: Bool { if case .or = self { true } else { false } }

  /// The step in an array with `count` more tests before its own.
  func following(_ count: Int) -> Self { if case .test(let test) = self { .test(test + count) } else { self } }
}
