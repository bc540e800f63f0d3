/// A condition bound to a table: the program that tests rows, and the constraints that indexes can use.
///
///     Binder ──▶ steps in postfix order ──▶ program, constraints
///
/// It is a class so that a query and its runs share all of it by one reference.
final class CompiledCondition: Sendable {
  let program: Program
  let constraints: Constraints
  /// What the program was made from, for conjunctions.
  private let steps: [BoundCondition.Step]
  private let constraintsOfTests: [Int: Constraint]

  /// Compiles a condition.
  ///
  /// - Parameters:
  ///   - steps: the condition in postfix order.
  ///   - tests: its tests, by their numbers.
  ///   - constraintsOfTests: what indexes can answer of the tests, by their numbers.
  init(_ steps: [BoundCondition.Step], tests: [Test], _ constraintsOfTests: [Int: Constraint]) {
    let condition = BoundCondition(steps)
    self.steps = steps
    self.constraintsOfTests = constraintsOfTests
    program = Program(condition, tests: tests)
    constraints = condition.constraints(constraintsOfTests)
    assert(constraints.conjuncts > 0, "A condition has a conjunct.")
  }

  /// A condition that consists of one comparison.
  init(_ test: Test, _ constraint: Constraint?) {
    steps = Self.one
    constraintsOfTests = [:]
    program = Program(test)
    constraints = Constraints(single: constraint.map { [$0] } ?? [], conjuncts: 1)
  }

  private static let one: [BoundCondition.Step] = [.test(0)]

  /// The conjunction of two conditions of one table. Their memos must differ.
  ///
  /// - Complexity: linear in the sizes of both, because the program is made anew.
  func and(_ other: CompiledCondition) -> CompiledCondition {
    if program.isAlwaysTrue { return other }
    if other.program.isAlwaysTrue { return self }
    let count = program.tests.count
    assert(ownConstraints.keys.allSatisfy { $0 < count }, "Constraints are those of tests.")
    var known = ownConstraints
    for (test, constraint) in other.ownConstraints { known[test + count] = constraint }
    return CompiledCondition(
      steps + other.steps.map { $0.following(count) } + [.and], tests: program.tests + other.program.tests, known)
  }

  /// The constraints of the tests, by their numbers.
  private var ownConstraints: [Int: Constraint] {
    if program.onlyTest != nil, let only = constraints.single.first { return [0: only] }
    return constraintsOfTests
  }
}
