package import FiefGraph

extension Realm {
  /// What it shows now, as the kernel has it: for tests and tools of this package, which prove invariants and count
  /// rows.
  package var graph: Graph { session.snapshot }
}
