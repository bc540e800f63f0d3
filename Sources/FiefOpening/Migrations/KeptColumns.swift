import FiefGraph
import FiefObjects

/// The columns that have the cells of others from before a migration.
///
/// A column mostly keeps its key. It gets another one when its elements may be null from now on, which stores them in
/// another form; its name, or a renaming, then identifies it.
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
  init(_ old: Graph, _ new: Graph, moved: [Stored: ColumnKey]) {
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

  /// The rows of a table whose cells are others than before.
  ///
  /// - Parameters:
  ///   - table: the table, which may be new or removed.
  ///   - delta: its difference; nil when nothing differs.
  /// - Complexity: linear in the difference, and in the rows of the table for each column that got another key.
  func changedRows(of table: TableKey, _ delta: TableDelta?) -> Set<ObjectKey> {
    var changed: Set<ObjectKey> = []
    let successors = successors(of: table)
    for column in delta?.updated ?? [] where !successors.contains(where: { $0.key == column.column }) {
      changed.formUnion(column.cells.lazy.map(\.key))
    }
    // The difference compares such a column with zero.
    for (source, key) in successors { changed.formUnion(differingRows(of: table, source, key)) }
    return changed
  }

  /// The columns whose cells are in columns of other keys now.
  private func successors(of table: TableKey) -> [(source: Column, key: ColumnKey)] {
    guard let schema = old[table]?.schema else { return [] }
    return schema.columns.compactMap { source in
      guard let key = column(with: source, of: schema)?.key, key != source.key else { return nil }
      return (source, key)
    }
  }

  /// The rows that were there before and have another cell in the column of another key.
  private func differingRows(of table: TableKey, _ source: Column, _ key: ColumnKey) -> [ObjectKey] {
    guard let before = old[table], let after = new[table], let leaf = before.schema.leaf(of: source.key),
      let newLeaf = after.schema.leaf(of: key)
    else { return [] }
    let type = after.schema.columns[newLeaf].type
    var rows: [ObjectKey] = []
    before.forEachRow(from: ObjectKey(0)) { row, cluster, slot in
      if let (newCluster, newSlot) = after.find(row),
        !CellContents(cluster, leaf: leaf, slot: slot, source.type).equals(
          CellContents(newCluster, leaf: newLeaf, slot: newSlot, type))
      {
        rows.append(row)
      }
      return true
    }
    return rows
  }
}
