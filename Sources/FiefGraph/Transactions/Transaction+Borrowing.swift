public import FiefRuntime

// Reads the working copy during a transaction, without making a copy of it.

extension Transaction {
  /// The cluster of a chunk of keys in the working copy, without counting a reference. It is valid until the next
  /// change of any kind.
  @inlinable
  package func borrowedCluster(_ table: TableKey, _ chunk: Int64) -> Borrowed<Cluster>? {
    working.borrowedCluster(table, chunk)
  }

  /// Calls `Table.find(primaryKey:)` on the working copy.
  package func find(primaryKey value: Value, in table: TableKey) -> ObjectKey? {
    working.find(primaryKey: value, in: table)
  }

  /// Calls `body` with the current working copy.
  ///
  /// The graph, its tables and everything else that can change in place must not outlive the call, because the
  /// transaction continues to change them. Use `graph` for a copy that may be kept.
  @inlinable
  package func read<Result>(_ body: (borrowing Graph) throws -> Result) rethrows -> Result {
    checkNotFilling()
    return try body(working)
  }
}
