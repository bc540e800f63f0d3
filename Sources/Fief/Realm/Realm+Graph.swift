package import FiefGraph

extension Realm {
  /// The graph that the realm currently shows. The tests and tools of this package use it to check invariants and count
  /// rows.
  package var graph: Graph { session.snapshot }
}
