// Reading the working copy while it is being changed, without giving a copy of it out.

extension Graph {
  /// The cluster of a chunk of keys, without a reference counted: it lives as long as the graph holds it.
  package func peekCluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    let index = table.index
    guard index < tables.count, let table = tables[index] else { return nil }
    return table.rows.peek(chunk)
  }
}

extension Transaction {
  /// The cluster of a chunk of keys as the transaction has it, without a reference counted: it stays where it is until the
  /// next change, whatever that is.
  package func peekCluster(_ table: TableKey, _ chunk: Int64) -> Unmanaged<Cluster>? {
    working.peekCluster(table, chunk)
  }

  /// Calls `body` with the working copy as it stands.
  ///
  /// The graph, its tables and whatever else can change in place must not outlive the call: the transaction goes on
  /// changing them. `graph` is what gives a copy away.
  package func read<Result>(_ body: (borrowing Graph) throws -> Result) rethrows -> Result {
    checkNotFilling()
    return try body(working)
  }
}
