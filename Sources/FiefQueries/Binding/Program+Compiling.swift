import FiefGraph

extension Program {
  private enum Work {
    case node(Int)
    case emit(Instruction)
    case step(isAnd: Bool)
    case close(isAnd: Bool)
  }

  /// Compiles a bound condition, in linear time except for sorting the members of each operator: cheap tests come
  /// first.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - tests: its tests, by their numbers. Ranges over one column that must all hold become one.
  init(_ condition: BoundCondition, tests: [Test]) {
    self.init(tests: tests)
    var steps: [[Int]] = []
    var work: [Work] = [.node(condition.root)]
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
        var (members, isAnd): ([Int], Bool) = ([], false)
        switch condition.node(node) {
        case .constant(let value): instructions.append(.constant(value))
        case .test(let test): instructions.append(.test(test))
        case .not(let inner):
          instructions.append(.enterNot)
          work.append(.emit(.leaveNot))
          work.append(.node(inner))
        case .and(let conjuncts): (members, isAnd) = (mergingRanges(conjuncts, of: condition), true)
        case .or(let alternatives): members = alternatives
        }
        if members.count == 1 { work.append(.node(members[0])) }
        guard members.count > 1 else { continue }
        instructions.append(isAnd ? .enterAnd : .enterOr)
        steps.append([])
        work.append(.close(isAnd: isAnd))
        let costs = members.map { cost(of: condition.node($0), condition) }
        for member in members.indices.sorted(by: { (costs[$0], $0) < (costs[$1], $1) }).reversed() {
          work.append(.step(isAnd: isAnd))
          work.append(.node(members[member]))
        }
      }
    }
    assert(steps.isEmpty, "Each operator is left.")
  }

  private func cost(of node: BoundCondition.Node, _ condition: BoundCondition) -> Int {
    switch node {
    case .constant: return 0
    case .test(let test): return tests[test].cost
    case .not(let inner):
      if case .test(let test) = condition.node(inner) { return tests[test].cost }
      return 50
    case .and, .or: return 50
    }
  }

  /// The members without ranges over one column that another one contains, which is narrowed: `a >= 5 AND a < 10` is
  /// one scan.
  private mutating func mergingRanges(_ members: [Int], of condition: BoundCondition) -> [Int] {
    assert(members.count > 1, "A conjunction has members.")
    var ranges: [Int: Int] = [:]
    return members.filter { member in
      guard case .test(let test) = condition.node(member),
        case .integers(let leaf, let range, false, false) = tests[test]
      else { return true }
      guard let other = ranges[leaf], case .integers(_, let earlier, _, _) = tests[other] else {
        ranges[leaf] = test
        return true
      }
      let (low, high) = (max(range.lowerBound, earlier.lowerBound), min(range.upperBound, earlier.upperBound))
      guard low <= high else { return true }
      tests[other] = .integers(leaf: leaf, low...high, isInverted: false, ofNull: false)
      return false
    }
  }
}
