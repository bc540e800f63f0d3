/// A bound condition as instructions: tests, and jumps over tests whose result no longer matters.
///
///     a AND (b OR c)       enterAnd  a  andStep ┐  enterOr  b  orStep ┐  c  orStep ▼  leaveOr  andStep ▼  leaveAnd
///                                               └─────────────────────┴──────────────────────▶
///
/// One machine runs the program over sets of rows, a cluster at a time. Another runs it over a single row. The first
/// keeps its own stack and the second needs none, so no call depth depends on the depth of the predicate.
struct Program: Sendable {
  enum Instruction: Sendable {
    /// Selects the candidates that satisfy the test.
    case test(Int)
    /// Selects all candidates, or no candidate.
    case constant(Bool)
    /// `enterNot` saves the candidates. `leaveNot` selects those that the condition in between rejected.
    case enterNot, leaveNot
    /// Saves the candidates. Each step narrows them to its result, and the last result is that of the whole
    /// conjunction.
    case enterAnd
    case andStep(end: Int)
    case leaveAnd
    /// Saves the candidates. Each step removes its result from them, and the union of all results is that of the
    /// disjunction.
    case enterOr
    case orStep(end: Int)
    case leaveOr
  }

  private enum Work {
    case node(Int)
    case emit(Instruction)
    case step(isAnd: Bool)
    case close(isAnd: Bool)
  }

  private(set) var instructions: [Instruction] = []
  private(set) var tests: [Test] = []

  /// Compiles a condition, in linear time except for sorting the members of each operator: cheap tests come first.
  /// Ranges over one column that must all hold become one.
  init(_ condition: BoundCondition) {
    var condition = condition
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
        var isAnd = false
        switch condition.nodes[node] {
        case .constant(let value):
          instructions.append(.constant(value))
          continue
        case .test(let test, _):
          instructions.append(.test(tests.count))
          tests.append(test)
          continue
        case .not(let inner):
          instructions.append(.enterNot)
          work += [.emit(.leaveNot), .node(inner)]
          continue
        case .and: isAnd = true
        case .or: break
        }
        var members = condition.members(of: node, and: isAnd)
        if isAnd { members = condition.mergingRanges(members) }
        if members.count == 1 {
          work.append(.node(members[0]))
          continue
        }
        instructions.append(isAnd ? .enterAnd : .enterOr)
        steps.append([])
        work.append(.close(isAnd: isAnd))
        let costs = members.map { Self.cost(of: condition.nodes[$0], in: condition) }
        for member in members.indices.sorted(by: { (costs[$0], $0) < (costs[$1], $1) }).reversed() {
          work += [.step(isAnd: isAnd), .node(members[member])]
        }
      }
    }
    assert(steps.isEmpty && !instructions.isEmpty, "Each operator is left.")
  }

  private static func cost(of node: BoundCondition.Node, in condition: BoundCondition) -> Int {
    switch node {
    case .constant: return 0
    case .test(let test, _): return test.cost
    case .not(let inner):
      if case .test(let test, _) = condition.nodes[inner] { return test.cost }
      return 50
    case .and, .or: return 50
    }
  }

  /// The test, if the program consists of one test only.
  var onlyTest: Test? {
    if instructions.count == 1, case .test(let number) = instructions[0] { return tests[number] }
    return nil
  }

  /// Whether the program selects every row.
  var isAlwaysTrue: Bool {
    if instructions.count == 1, case .constant(true) = instructions[0] { return true }
    return false
  }
}
