/// A condition bound to a table: the program that tests rows, and the constraints that indexes can use.
///
/// It is a class so that a query and its runs share both by one reference.
final class CompiledCondition: Sendable {
  let program: Program
  let constraints: Constraints

  init(_ program: Program, _ constraints: Constraints) {
    self.program = program
    self.constraints = constraints
  }
}
