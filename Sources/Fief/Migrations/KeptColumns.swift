import FiefGraph

/// Which columns have the cells that others had before a migration.
///
/// A column mostly keeps its key. It gets another one when its elements may be null from now on, which stores them in
/// another form; its name, or a renaming, then tells that it is the same.
struct KeptColumns {
  let old: Graph
  let new: Graph
  private let moved: [Stored: ColumnKey]

  /// A column of the old graph.
  struct Stored: Hashable {
    let table: TableKey
    let column: ColumnKey
  }

  /// - Parameter moved: the keys of the columns that were renamed, by the stored ones.
  init(_ old: Graph, _ new: Graph, _ moved: [Stored: ColumnKey]) {
    self.old = old
    self.new = new
    self.moved = moved
  }

  /// The new column that has the cells of an old one; nil when its values were not carried over.
  func column(with column: Column, of table: TableSchema) -> Column? {
    guard let after = new[table.key]?.schema else { return nil }
    if let key = moved[Stored(table: table.key, column: column.key)] { return after.column(key) }
    if let kept = after.column(column.key) { return column.type.fits(into: kept.type) ? kept : nil }
    guard let other = after.column(named: column.name), column.type.fits(into: other.type),
      table.column(other.key) == nil,
      !moved.contains(where: { $0.key.table == table.key && $0.value == other.key })
    else { return nil }
    return other
  }

  /// The rows whose cells of a column are others than before, of those that a difference names.
  func changes(in delta: ColumnDelta, of table: TableKey) -> [ObjectKey] {
    let keys = delta.cells.map(\.key)
    guard let before = old[table], let after = new[table], before.schema.column(delta.column) == nil,
      let source = before.schema.columns.first(where: { column(with: $0, of: before.schema)?.key == delta.column }),
      let leaf = before.schema.leaf(of: source.key), let newLeaf = after.schema.leaf(of: delta.column)
    else { return keys }
    let type = after.schema.columns[newLeaf].type
    return keys.filter { key in
      guard let (cluster, slot) = before.find(key), let (newCluster, newSlot) = after.find(key) else { return true }
      return !CellContents(cluster, leaf, slot, source.type).equals(CellContents(newCluster, newLeaf, newSlot, type))
    }
  }
}
