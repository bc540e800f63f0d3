/// A condition bound to a table: the program that tests rows, and what indexes can find of them.
///
/// A class, so that a query and its runs share one by one reference.
final class CompiledCondition: Sendable {
  let program: Program
  let constraints: Constraints

  init(_ program: Program, _ constraints: Constraints) {
    self.program = program
    self.constraints = constraints
  }
}
