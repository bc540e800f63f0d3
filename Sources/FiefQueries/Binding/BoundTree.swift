import FiefGraph

/// The conditions of a predicate during binding. The tree flattens chains of operators, orders conditions by cost and
/// makes a `Program`.
///
/// Nodes are stored in one array and refer to each other by index, so no function recurses.
struct BoundTree: Sendable {
  enum Node: Sendable {
    case constant(Bool)
    case test(Int)
    case not(Int)
    case and([Int])
    case or([Int])
  }

  private(set) var nodes: [Node] = []
  private(set) var tests: [Test] = []
  /// The constraints that indexes can use, by the index of their test.
  private(set) var constraints: [Int: Constraint] = [:]
  private var stack: [Int] = []

  init() {}

  /// The tree of one comparison.
  init(_ test: Test, _ constraint: Constraint?) { push(test, constraint) }

  private mutating func push(_ node: Node) {
    nodes.append(node)
    stack.append(nodes.count - 1)
  }

  mutating func push(_ constant: Bool) { push(.constant(constant)) }

  mutating func push(_ test: Test, _ constraint: Constraint?) {
    tests.append(test)
    if let constraint { constraints[tests.count - 1] = constraint }
    push(.test(tests.count - 1))
  }

  mutating func negate() {
    let top = stack.removeLast()
    switch nodes[top] {
    case .constant(let value): push(.constant(!value))
    case .not(let inner): stack.append(inner)
    default: push(.not(top))
    }
  }

  mutating func join(and isAnd: Bool) {
    let right = stack.removeLast()
    let left = stack.removeLast()
    for (one, other) in [(left, right), (right, left)] {
      guard case .constant(let value) = nodes[one] else { continue }
      // A neutral constant is dropped. A constant that decides the result replaces both operands.
      stack.append(value == isAnd ? other : one)
      return
    }
    // Chains of one operator become one node. The longer operand's array is reused and extended, so a chain of a
    // million conditions takes linear time, whether it leans left or right.
    var long = extractMembers(of: left, and: isAnd)
    var short = extractMembers(of: right, and: isAnd)
    if long.count < short.count { swap(&long, &short) }
    long += short
    push(isAnd ? .and(long) : .or(long))
  }

  /// Removes the members of a node of that operator. Any other node is its own only member.
  private mutating func extractMembers(of node: Int, and isAnd: Bool) -> [Int] {
    switch (nodes[node], isAnd) {
    case (.and(let members), true), (.or(let members), false):
      nodes[node] = .constant(true)
      return members
    default: return [node]
    }
  }

  /// The constraints that indexes can use for the whole condition. Single constraints come from the conjuncts that are
  /// comparisons. Alternatives come from the disjunctions in which every branch has a constraint.
  var rootConstraints: Constraints {
    guard let root = stack.last else { return Constraints() }
    var result = constraints(of: root)
    for node in members(of: root) {
      guard case .or(let members) = nodes[node] else { continue }
      let branches = members.map(constraints)
      if branches.allSatisfy({ !$0.single.isEmpty }) { result.alternatives.append(branches) }
    }
    return result
  }

  /// The conditions whose conjunction is the condition at `node`.
  private func members(of node: Int) -> [Int] {
    if case .and(let members) = nodes[node] { return members }
    return [node]
  }

  private func constraints(of node: Int) -> Constraints {
    let members = members(of: node)
    let single = members.compactMap { node -> Constraint? in
      guard case .test(let test) = nodes[node] else { return nil }
      return constraints[test]
    }
    return Constraints(single: single, conjuncts: members.count)
  }

  // MARK: Joining trees

  /// Requires the condition on top of another tree's stack as well, in time linear in the size of the other tree.
  mutating func require(_ other: BoundTree) {
    let (firstNode, firstTest) = (nodes.count, tests.count)
    nodes += other.nodes.map { $0.moved(by: firstNode, tests: firstTest) }
    tests += other.tests
    for (test, constraint) in other.constraints { constraints[firstTest + test] = constraint }
    stack += other.stack.map { $0 + firstNode }
    join(and: true)
  }

  // MARK: To a program

  private enum Work {
    case node(Int)
    case emit(Program.Instruction)
    case step(isAnd: Bool)
    case close(isAnd: Bool)
  }

  /// Makes the program of the condition on top of the stack, in linear time except for sorting the members of each
  /// operator.
  mutating func program() -> Program {
    mergeRanges()
    var instructions: [Program.Instruction] = []
    var steps: [[Int]] = []
    var work: [Work] = [.node(stack[stack.count - 1])]
    while let next = work.popLast() {
      switch next {
      case .emit(let instruction): instructions.append(instruction)
      case .step(let isAnd):
        steps[steps.count - 1].append(instructions.count)
        instructions.append(isAnd ? .andStep(end: 0) : .orStep(end: 0))
      case .close(let isAnd):
        for step in steps.removeLast() {
          instructions[step] = isAnd ? .andStep(end: instructions.count) : .orStep(end: instructions.count)
        }
        instructions.append(isAnd ? .leaveAnd : .leaveOr)
      case .node(let node):
        switch nodes[node] {
        case .constant(let value): instructions.append(.constant(value))
        case .test(let test): instructions.append(.test(test))
        case .not(let inner):
          instructions.append(.enterNot)
          work.append(.emit(.leaveNot))
          work.append(.node(inner))
        case .and(let members), .or(let members):
          var isAnd = false
          if case .and = nodes[node] { isAnd = true }
          instructions.append(isAnd ? .enterAnd : .enterOr)
          steps.append([])
          work.append(.close(isAnd: isAnd))
          let costs = members.map(cost)
          let order = members.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }
          for member in order.reversed() {
            work.append(.step(isAnd: isAnd))
            work.append(.node(members[member]))
          }
        }
      }
    }
    return Program(instructions: instructions, tests: tests)
  }

  private func cost(_ node: Int) -> Int {
    switch nodes[node] {
    case .constant: 0
    case .test(let test): tests[test].cost
    case .not(let inner):
      if case .test(let test) = nodes[inner] { tests[test].cost } else { 50 }
    case .and, .or: 50
    }
  }

  /// Merges ranges over one column that must all hold, so `a >= 5 AND a < 10` becomes one scan.
  private mutating func mergeRanges() {
    for node in nodes.indices {
      guard case .and(let members) = nodes[node] else { continue }
      var kept: [Int] = []
      var ranges: [Int: Int] = [:]
      for member in members {
        guard case .test(let test) = nodes[member],
          case .integers(let leaf, let range, false, false) = tests[test]
        else {
          kept.append(member)
          continue
        }
        guard let other = ranges[leaf], case .integers(_, let earlier, _, _) = tests[other] else {
          ranges[leaf] = test
          kept.append(member)
          continue
        }
        let (low, high) = (max(range.lowerBound, earlier.lowerBound), min(range.upperBound, earlier.upperBound))
        guard low <= high else {
          kept.append(member)
          continue
        }
        tests[other] = .integers(leaf: leaf, low...high, isInverted: false, ofNull: false)
      }
      // A tree without ranges to merge stays as it is, so that a copy shares its nodes with the original.
      if kept.count < members.count { nodes[node] = kept.count == 1 ? nodes[kept[0]] : .and(kept) }
    }
  }
}

extension BoundTree.Node {
  /// The node in a tree in which that number of other nodes and tests precede its own.
  fileprivate func moved(by nodes: Int, tests: Int) -> Self {
    switch self {
    case .constant: self
    case .test(let test): .test(test + tests)
    case .not(let inner): .not(inner + nodes)
    case .and(let members): .and(members.map { $0 + nodes })
    case .or(let members): .or(members.map { $0 + nodes })
    }
  }
}
