import FiefGraph
import FiefObjects

/// The values of a graph that another one, which a migration has made of it, does not have.
struct LostValues {
  private let kept: KeptColumns
  private(set) var losses: [MigrationReport.Loss] = []

  init(_ kept: KeptColumns) {
    self.kept = kept
    let new = kept.new
    for table in kept.old.allTables.sorted(by: { $0.schema.name < $1.schema.name })
    where !table.schema.key.isNested && !table.schema.isInternal {
      guard let after = new[table.schema.key] else { continue }
      for (leaf, column) in table.schema.columns.enumerated() { compare(table, leaf: leaf, column, with: after) }
    }
  }

  private mutating func compare(_ table: Table, leaf: Int, _ column: Column, with after: Table) {
    if kept.column(with: column, of: table.schema) != nil { return }
    let successor = after.schema.column(named: column.name)
    let newLeaf = successor.flatMap { after.schema.leaf(of: $0.key) }
    var counts: [MigrationReport.Loss.Kind: (count: Int, example: String)] = [:]
    func note(_ kind: MigrationReport.Loss.Kind, _ example: @autoclosure () -> String) {
      let present = counts[kind] ?? (0, example())
      counts[kind] = (present.count + 1, present.example)
    }
    table.forEachRow(from: ObjectKey(0)) { key, cluster, slot in
      guard let (newCluster, newSlot) = after.find(key) else { return true }
      let before = CellContents(cluster, leaf: leaf, slot: slot, column.type)
      if before.isUnset { return true }
      guard let newLeaf, let successor else {
        note(.removed, before.text(in: kept.old))
        return true
      }
      let now = CellContents(newCluster, leaf: newLeaf, slot: newSlot, successor.type)
      if now.isUnset || now.count < before.count {
        note(.lost, before.text(in: kept.old))
      } else if let (a, b) = before.numbers(now), a != b, abs(a - b) <= max(1, abs(a) * 1e-6) {
        note(.rounded, before.text(in: kept.old))
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
}
