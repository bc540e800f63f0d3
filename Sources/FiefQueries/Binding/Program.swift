/// A bound predicate as instructions: tests, and jumps over tests whose result no longer matters.
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

  var instructions: [Instruction] = []
  var tests: [Test] = []

  init(instructions: [Instruction] = [], tests: [Test] = []) {
    self.instructions = instructions
    self.tests = tests
  }

  /// A program that consists of one test.
  init(_ test: Test) { self.init(instructions: Self.one, tests: [test]) }

  private static let one: [Instruction] = [.test(0)]

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
