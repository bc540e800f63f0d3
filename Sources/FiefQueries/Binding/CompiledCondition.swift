/// A condition bound to a table: the program that tests rows, and the constraints that indexes can use.
///
///     Binder ──▶ BoundTree ──▶ program, constraints
///                   └── and another tree: the conjunction, without binding anything again
///
/// It is a class so that a query and its runs share all of it by one reference.
final class CompiledCondition: Sendable {
  let program: Program
  let constraints: Constraints
  /// What the program was made from, for conjunctions; nil for one comparison, which needs no tree.
  private let tree: BoundTree?

  /// Compiles the condition on top of a tree's stack.
  init(_ tree: BoundTree) {
    self.tree = tree
    constraints = tree.rootConstraints
    // Making a program merges ranges in the tree. Ranges of a later conjunction are merged with the original ones.
    var merged = tree
    program = merged.program()
  }

  /// A condition that consists of one comparison.
  init(_ test: Test, _ constraint: Constraint?) {
    tree = nil
    program = Program(test)
    constraints = Constraints(single: constraint.map { [$0] } ?? [], conjuncts: 1)
  }

  /// The conjunction of two conditions of one table. Their memos must differ.
  ///
  /// - Complexity: linear in the sizes of both, because the program is made anew.
  func and(_ other: CompiledCondition) -> CompiledCondition {
    if program.isAlwaysTrue { return other }
    if other.program.isAlwaysTrue { return self }
    var joined = bindings
    joined.require(other.bindings)
    return CompiledCondition(joined)
  }

  private var bindings: BoundTree {
    if let tree { return tree }
    guard let test = program.onlyTest else { fatalError("A condition without a tree is one comparison.") }
    return BoundTree(test, constraints.single.first)
  }
}
