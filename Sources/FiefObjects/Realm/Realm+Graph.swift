package import FiefGraph
import FiefSessions

extension Realm {
  /// The graph that the realm currently shows. The tests and tools of this package use it to check invariants and count
  /// rows.
  package var graph: Graph { session.snapshot }

  /// Applies a delta to the write in progress. The tests of this package reach states with it that otherwise only a
  /// file brings, such as a table that has given out almost all its keys.
  package func apply(_ delta: Delta) throws {
    guard let transaction = session.transaction else { Misuse.notInWrite("A delta was applied") }
    defer { session.noteChanges() }
    try transaction.apply(delta)
  }
}
