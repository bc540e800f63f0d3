/// A bound predicate as instructions: tests, and what skips those whose answer no longer matters.
///
///     a AND (b OR c)       enterAnd  a  andStep ┐  enterOr  b  orStep ┐  c  orStep ▼  leaveOr  andStep ▼  leaveAnd
///                                               └─────────────────────┴──────────────────────▶
///
/// One machine runs it over sets of rows (a cluster at a time), another over one row. Both use a stack of their own, so
/// that depth is a matter of memory.
struct Program: Sendable {
  enum Instruction: Sendable {
    /// Answers the candidates that satisfy the test.
    case test(Int)
    /// Answers all candidates, or none.
    case constant(Bool)
    /// Remembers the candidates; `leaveNot` answers those that the condition between does not.
    case enterNot, leaveNot
    /// Remembers the candidates, which each step narrows to its answer; the last answer is the whole's.
    case enterAnd
    case andStep(end: Int)
    case leaveAnd
    /// Remembers the candidates; each step takes its answer out of them, and all answers together are the whole's.
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

  /// The program that is one test.
  init(_ test: Test) { self.init(instructions: Self.one, tests: [test]) }

  private static let one: [Instruction] = [.test(0)]

  /// The one test that is the whole program, if it is no more.
  var onlyTest: Test? {
    if instructions.count == 1, case .test(let place) = instructions[0] { return tests[place] }
    return nil
  }

  /// Whether it says nothing.
  var isAlwaysTrue: Bool {
    if instructions.count == 1, case .constant(true) = instructions[0] { return true }
    return false
  }
}
