import FiefGraph
import FiefObjects
import FiefSessions

extension SchemaBringing {
  /// Runs what opening would run for its report, and compares the result with the stored graph.
  func rehearse() -> MigrationReport {
    let clock = ContinuousClock()
    let start = clock.now
    let trace = MigrationTrace()
    var bringing = self
    bringing.trace = trace
    var outcome: Migrated?
    var failure: (any Error)?
    do { outcome = try bringing.bring() } catch { failure = error }
    let duration = start.duration(to: clock.now)
    let declarations = selection.declarations
    let after = outcome?.graph ?? trace.unsettled
    let kept = after.map { KeptColumns(stored.graph, $0, moved: trace.moved) }
    let reached = kept ?? trace.reached.map { KeptColumns(stored.graph, $0, moved: trace.moved) }
    return MigrationReport(
      storedVersion: stored.schemaVersion, schemaVersion: schemaVersion,
      difference: SchemaDifference(SchemaChange.all(declarations, over: stored.graph)),
      classes: kept.map { classes($0, trace, embedding: outcome?.embedding ?? EmbeddingOutcome()) } ?? [],
      losses: reached.map { LostValues($0).losses } ?? [], defaults: trace.defaults,
      duplicates: trace.unsettled.map { $0.repetitions(declarations).map(MigrationReport.Duplicate.init) } ?? [],
      failure: failure, duration: duration)
  }

  private func classes(
    _ kept: KeptColumns, _ trace: MigrationTrace, embedding: EmbeddingOutcome
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
