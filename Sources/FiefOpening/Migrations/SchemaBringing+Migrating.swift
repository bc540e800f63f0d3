import FiefGraph
import FiefObjects
import FiefSessions

extension SchemaBringing {
  /// The graph that a migration has made, and how.
  struct Migrated {
    /// The graph after the migration, as the version that follows the stored one.
    var graph: Graph
    /// The rows that were deleted for want of an owner, and copied for each of their owners.
    var embedding = EmbeddingOutcome()
  }

  /// Runs the migration. The stored graph is a value, and stays what it is.
  ///
  /// - Throws: the error of the block, or its first mistake; `.fail` for duplicate primary keys; other errors of
  ///   `SchemaLayout.prepare` and `complete`.
  func migrate() throws -> Migrated {
    report(.preparing)
    do {
      return try carryOut()
    } catch let error as GraphError where error.code == .duplicatePrimaryKey {
      throw Realm.Error(
        .fail,
        "Primary key property '\(error.table ?? "?").\(error.column ?? "?")' has duplicate values after the migration: "
          + error.message)
    } catch {
      throw Realm.Error.describing(error)
    }
  }

  private func carryOut() throws -> Migrated {
    let transaction: Transaction
    if let block {
      let stage = try MigrationStage(stored, selection, options: options, observer: observer, trace: trace)
      defer { stage.close() }
      report(.running)
      do {
        try block(Migration(stage, to: schemaVersion), stored.schemaVersion)
        transaction = Transaction(try stage.finish())
      } catch {
        noteReached(by: stage)
        throw error
      }
      note(stage.defaults)
      report(.settling)
      try KeysOfNewObjects.handOut(stage.models, over: stored.graph, transaction)
      trace?.unsettled = transaction.graph
      for (table, stored, from, to) in stage.moves {
        try transaction.takeKey(of: from, by: to, in: table)
        trace?.moved[KeptColumns.Stored(table: table, column: stored)] = from
      }
      // A column of a removed class, such as a set, may not allow that its targets are embedded.
      try SchemaLayout.removeUndeclared(selection.declarations, transaction)
      try removeUnlinked(stage.removed, transaction)
      return outcome(transaction, try settle(transaction))
    }
    transaction = Transaction(stored.graph)
    try SchemaLayout.prepare(selection.declarations, transaction, defersKeys: false)
    if !selection.isDynamic {
      note(try DefaultsOfNewProperties(selection.models, over: stored.graph, transaction).defaults)
    }
    report(.settling)
    trace?.unsettled = transaction.graph
    return outcome(transaction, try settle(transaction))
  }

  /// Reports the properties that begin with their declared default: in a rehearsal, or in the log.
  private func note(_ defaults: [MigrationReport.Default]) {
    if let trace { return trace.defaults = defaults }
    for beginning in defaults {
      Logger.log(
        .info,
        "The migration sets '\(beginning.className).\(beginning.propertyName)' of \(beginning.count) objects to its "
          + "default \(beginning.value), as its type has no value for zero.")
    }
  }

  /// Notes for a rehearsal what a block has made until it failed.
  private func noteReached(by stage: MigrationStage) {
    guard let trace else { return }
    let transaction = Transaction(stage.reached)
    // The block has failed already, so an error that forbids the removal of a column does not matter.
    try? SchemaLayout.removeUndeclared(selection.declarations, transaction)
    for (table, stored, _, to) in stage.moves {
      trace.moved[KeptColumns.Stored(table: table, column: stored)] = to
    }
    trace.defaults = stage.defaults
    trace.reached = transaction.graph
  }

  private func settle(_ transaction: Transaction) throws -> EmbeddingOutcome {
    try SchemaLayout.complete(selection.declarations, transaction) { trace?.unsettled = $0 }
  }

  /// Removes tables whose rows were deleted. Those to which a table that stays links are kept.
  private func removeUnlinked(_ tables: Set<TableKey>, _ transaction: Transaction) throws {
    let graph = transaction.graph
    var removed = tables
    var staying = graph.allTables.map(\.schema).filter { !removed.contains($0.key) }
    while let schema = staying.popLast() {
      for target in schema.columns.compactMap(\.type.target) where removed.remove(target) != nil {
        if let kept = graph[target]?.schema { staying.append(kept) }
      }
    }
    // Tables may link to each other in a circle. Without their columns, each can go.
    for table in removed.sorted() {
      for column in graph[table]?.schema.columns ?? [] { try transaction.removeColumn(column.key, of: table) }
    }
    for table in removed.sorted() { try transaction.removeTable(table) }
  }

  private func outcome(_ transaction: Transaction, _ embedding: EmbeddingOutcome) -> Migrated {
    Migrated(graph: transaction.graph.numbered(stored.graph.version + 1), embedding: embedding)
  }

  private func report(_ phase: MigrationProgress.Phase) {
    observer?(MigrationProgress(phase: phase, className: nil, completedCount: 0, totalCount: 0))
  }
}

/// The notes of a rehearsal while a migration runs.
final class MigrationTrace {
  /// How many old objects of each class were visited.
  var reads: [TableKey: Int] = [:]
  /// The columns that have the cells of stored ones under another name.
  var moved: [KeptColumns.Stored: ColumnKey] = [:]
  /// The graph before primary keys and unique indexes are set, in which values may repeat.
  var unsettled: Graph?
  /// The graph that a block has made until it failed.
  var reached: Graph?
  /// The properties that begin with their declared default.
  var defaults: [MigrationReport.Default] = []
}
