/// A condition bound to a table: the program that tests rows, and what indexes can answer of it.
///
/// It is a class so that a query and its runs share all of it by one reference.
final class CompiledCondition: Sendable {
  let program: Program
  let conjunction: Conjunction
  /// The source of the program, for conjunctions.
  private let condition: BoundCondition

  init(_ condition: BoundCondition) {
    self.condition = condition
    program = Program(condition)
    conjunction = condition.conjunction
  }

  /// The conjunction of two conditions of one table. Their memos must differ.
  ///
  /// - Complexity: linear in the sizes of both, because the program is made anew.
  func and(_ other: CompiledCondition) -> CompiledCondition {
    if program.isAlwaysTrue { return other }
    if other.program.isAlwaysTrue { return self }
    var both = condition
    both.append(other.condition)
    both.join(and: true)
    return CompiledCondition(both)
  }
}
