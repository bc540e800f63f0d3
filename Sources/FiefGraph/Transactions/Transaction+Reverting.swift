extension Transaction {
  /// Takes back what led from one version to a later one, and leaves what was done since then. Deleted rows come back
  /// under their keys. Keys that were assigned stay used. Documents that were sent stay sent.
  ///
  ///     before ──the step──▶ after ──later writes──▶ working copy ──revert──▶ the later writes alone
  ///
  /// - Throws: `GraphError.Code.conflict` when a later change stands in the way: it concerns the same cells or rows, or
  ///   links or unique values would not fit; or the step has changed the schema, or a table that was there after it has
  ///   another schema now. Nothing has changed then.
  /// - Complexity: Linear in the step and in the changes since then.
  package func revert(from after: Graph, to before: Graph) throws {
    var inverse = Delta(from: after, to: before)
    let since = Delta(from: after, to: graph)
    inverse.tables.removeAll { graph[$0.table]?.schema.isInternal ?? false }
    // A table that came later has rows of later writes alone.
    guard inverse.schema == nil, since.schema?.keepsTables(of: after.schema) ?? true else {
      throw GraphError(.conflict, "The schema has changed since then.")
    }
    if let row = inverse.conflict(with: since) {
      let name = working[row.table]?.schema.name ?? "?"
      let object = (after.contains(row) ? after : graph)[row.table]?.phrase(of: row.key) ?? "\(row)"
      throw GraphError(.conflict, "it changed \(object) of '\(name)'.", table: name, key: row.key)
    }
    for index in inverse.tables.indices {
      inverse.tables[index].nextKey = working[inverse.tables[index].table]?.nextKey ?? inverse.tables[index].nextKey
    }
    do {
      try apply(inverse)
    } catch let error as GraphError {
      throw GraphError(.conflict, error.message, table: error.table, column: error.column, key: error.key)
    }
  }
}
