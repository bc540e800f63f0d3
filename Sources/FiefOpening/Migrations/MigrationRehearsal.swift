import FiefGraph
import FiefObjects
import FiefSessions

/// A migration that is run for its report.
struct MigrationRehearsal {
  let stored: StoredState
  let bringing: SchemaBringing

  /// Runs what opening would run, and compares the result with the stored graph.
  func report() -> MigrationReport {
    let clock = ContinuousClock()
    let start = clock.now
    let trace = MigrationTrace()
    var outcome: MigrationRun.Outcome?
    var failure: (any Error)?
    do {
      if bringing.schemaVersion > stored.schemaVersion && !bringing.isReset {
        var run = bringing.migration
        run.trace = trace
        outcome = try run.run()
      } else if let graph = try bringing.run() {
        outcome = MigrationRun.Outcome(graph: graph, embedding: EmbeddingOutcome())
      }
    } catch { failure = error }
    let duration = start.duration(to: clock.now)
    let declarations = bringing.selection.declarations
    let after = outcome?.graph ?? trace.unsettled
    let kept = after.map { KeptColumns(stored.graph, $0, trace.moved) }
    let reached = kept ?? trace.reached.map { KeptColumns(stored.graph, $0, trace.moved) }
    return MigrationReport(
      storedVersion: stored.schemaVersion, schemaVersion: bringing.schemaVersion,
      difference: SchemaDifference(SchemaChange.all(declarations, over: stored.graph)),
      classes: kept.map { classes($0, trace, outcome?.embedding ?? EmbeddingOutcome()) } ?? [],
      losses: reached.map { LostValues($0).losses } ?? [], defaults: trace.defaults,
      duplicates: trace.unsettled.map { $0.repetitions(declarations).map(MigrationReport.Duplicate.init) } ?? [],
      failure: failure, duration: duration)
  }

  private func classes(
    _ kept: KeptColumns, _ trace: MigrationTrace, _ embedding: EmbeddingOutcome
  ) -> [MigrationReport.ClassReport] {
    let after = kept.new
    let deltas = Dictionary(
      uniqueKeysWithValues: Delta(from: stored.graph, to: after).tables.map { ($0.table, $0) })
    let keys = Set((stored.graph.allTables + after.allTables).map(\.schema.key))
    return keys.compactMap { key -> MigrationReport.ClassReport? in
      let (old, new) = (stored.graph[key], after[key])
      guard let schema = new?.schema ?? old?.schema, !key.isNested, !schema.isInternal else { return nil }
      let delta = deltas[key]
      let storedCount = old?.count ?? 0
      if storedCount == 0 && new?.count ?? 0 == 0 { return nil }
      return MigrationReport.ClassReport(
        className: schema.name, storedCount: storedCount, readCount: trace.reads[key, default: 0],
        createdCount: delta?.inserted.reduce(0) { $0 + $1.rows.count } ?? 0,
        changedCount: kept.changedRows(of: key, delta).count,
        deletedCount: new == nil ? storedCount : delta?.deleted.reduce(0) { $0 + $1.rows.count } ?? 0,
        copiedCount: embedding.copied[key, default: 0])
    }.sorted { $0.className < $1.className }
  }
}
