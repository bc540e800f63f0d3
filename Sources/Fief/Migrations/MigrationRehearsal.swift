import FiefGraph
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
    return MigrationReport(
      storedVersion: stored.schemaVersion, schemaVersion: bringing.schemaVersion,
      difference: SchemaDifference(SchemaChange.all(declarations, over: stored.graph)),
      classes: after.map { classes($0, trace, outcome?.embedding ?? EmbeddingOutcome()) } ?? [],
      losses: outcome.map { LostValues(stored.graph, $0.graph).losses } ?? [],
      duplicates: trace.unsettled.map { $0.repetitions(declarations).map(MigrationReport.Duplicate.init) } ?? [],
      failure: failure, duration: duration)
  }

  private func classes(
    _ after: Graph, _ trace: MigrationTrace, _ embedding: EmbeddingOutcome
  ) -> [MigrationReport.ClassReport] {
    let deltas = Dictionary(
      uniqueKeysWithValues: Delta(from: stored.graph, to: after).tables.map { ($0.table, $0) })
    let keys = Set((stored.graph.allTables + after.allTables).map(\.schema.key))
    return keys.compactMap { key -> MigrationReport.ClassReport? in
      let (old, new) = (stored.graph[key], after[key])
      guard let schema = new?.schema ?? old?.schema, !key.isReserved, !schema.isInternal else { return nil }
      let delta = deltas[key]
      var changed: Set<ObjectKey> = []
      for column in delta?.updated ?? [] { changed.formUnion(column.cells.lazy.map(\.key)) }
      let storedCount = old?.count ?? 0
      if storedCount == 0 && new?.count ?? 0 == 0 { return nil }
      return MigrationReport.ClassReport(
        className: schema.name, storedCount: storedCount, readCount: trace.reads[key, default: 0],
        createdCount: delta?.inserted.reduce(0) { $0 + $1.rows.count } ?? 0, changedCount: changed.count,
        deletedCount: new == nil ? storedCount : delta?.deleted.reduce(0) { $0 + $1.rows.count } ?? 0,
        copiedCount: embedding.copied[key, default: 0])
    }.sorted { $0.className < $1.className }
  }
}

/// The values of a graph that another one, which a migration has made of it, does not have.
private struct LostValues {
  private let old: Graph
  private let new: Graph
  private(set) var losses: [MigrationReport.Loss] = []

  init(_ old: Graph, _ new: Graph) {
    self.old = old
    self.new = new
    for table in old.allTables.sorted(by: { $0.schema.name < $1.schema.name })
    where !table.schema.key.isReserved && !table.schema.isInternal {
      guard let after = new[table.schema.key] else { continue }
      for (leaf, column) in table.schema.columns.enumerated() { compare(table, leaf, column, after) }
    }
  }

  private mutating func compare(_ table: Table, _ leaf: Int, _ column: Column, _ after: Table) {
    if let kept = after.schema.column(column.key), kept.type.kind == column.type.kind,
      kept.type.shape == column.type.shape, kept.type.target == column.type.target
    {
      return
    }
    let successor = after.schema.column(named: column.name)
    let newLeaf = successor.flatMap { after.schema.leaf(of: $0.key) }
    var counts: [MigrationReport.Loss.Kind: (count: Int, example: String)] = [:]
    func note(_ kind: MigrationReport.Loss.Kind, _ example: @autoclosure () -> String) {
      let present = counts[kind] ?? (0, example())
      counts[kind] = (present.count + 1, present.example)
    }
    table.forEachRow(from: ObjectKey(0)) { key, cluster, slot in
      guard let (newCluster, newSlot) = after.find(key) else { return true }
      let before = Contents(cluster, leaf, slot, column.type)
      if before.isUnset { return true }
      guard let newLeaf, let successor else {
        note(.removed, before.text)
        return true
      }
      let now = Contents(newCluster, newLeaf, newSlot, successor.type)
      if now.isUnset || now.count < before.count {
        note(.lost, before.text)
      } else if let (a, b) = before.numbers(now), a != b, abs(a - b) <= max(1, abs(a) * 1e-6) {
        note(.rounded, before.text)
      }
      return true
    }
    for kind in [MigrationReport.Loss.Kind.removed, .lost, .rounded] {
      guard let (count, example) = counts[kind] else { continue }
      losses.append(
        MigrationReport.Loss(
          className: after.schema.name, propertyName: column.name, kind: kind, count: count, example: example))
    }
  }

  /// What a cell has.
  private struct Contents {
    let count: Int
    let first: StoredValue
    let isCollection: Bool

    init(_ cluster: Cluster, _ leaf: Int, _ slot: Int, _ type: ColumnType) {
      isCollection = type.isCollection
      if isCollection {
        let collection = cluster[leaf: leaf].values.collection(at: slot)
        count = collection?.count ?? 0
        first = count > 0 ? collection?.value(at: 0, as: type) ?? .null : .null
      } else {
        first = cluster[leaf: leaf].value(at: slot, as: type)
        count = first.isNull ? 0 : 1
      }
    }

    var isUnset: Bool { isCollection ? count == 0 : first.isNull || first.isZero }

    var text: String {
      let text = "\(first)".prefix(64)
      return isCollection && count > 1 ? "\(count) elements from \(text)" : String(text)
    }

    /// Both contents as numbers, if each is a single one.
    func numbers(_ other: Contents) -> (Double, Double)? {
      guard !isCollection, !other.isCollection, let a = first.number, let b = other.first.number else { return nil }
      return (a, b)
    }
  }
}

extension StoredValue {
  /// Whether it is what a new column begins with.
  fileprivate var isZero: Bool {
    switch self {
    case .bool(let value): !value
    case .int(let value): value == 0
    case .float(let value): value == 0
    case .double(let value): value == 0
    case .string(let value): value.isEmpty
    case .data(let value): value.isEmpty
    default: false
    }
  }

  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }
}
