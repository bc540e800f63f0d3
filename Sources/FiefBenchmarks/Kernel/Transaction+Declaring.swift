import FiefGraph

// Declares the tables of the workloads part by part.

extension Transaction {
  /// Adds a table without columns.
  func addTable(_ name: String, kind: TableKind = .ordinary) throws -> TableKey {
    let key = TableKey(rawValue: graph.schema.nextTable)
    try declare([TableSchema(key: key, name: name, kind: kind)])
    return key
  }

  /// Adds a column to a table.
  func addColumn(to table: TableKey, _ name: String, _ type: ColumnType) throws -> ColumnKey {
    let key = ColumnKey(rawValue: graph[table]?.schema.nextColumn ?? 0)
    try redeclare(table) { $0.columns.append(Column(key: key, name: name, type: type)) }
    return key
  }

  /// Makes a column the primary key.
  func setPrimaryKey(_ column: ColumnKey, of table: TableKey) throws {
    try redeclare(table) { $0.primaryKey = column }
  }

  /// Adds an index.
  func addIndex(_ index: IndexDefinition, to table: TableKey) throws {
    try redeclare(table) { $0.indexes.append(index) }
  }

  private func redeclare(
    _ table: TableKey,
    _ change: (inout (columns: [Column], primaryKey: ColumnKey?, indexes: [IndexDefinition])) -> Void
  ) throws {
    guard let schema = graph[table]?.schema else { fatalError("There is no \(table).") }
    var parts = (columns: schema.columns, primaryKey: schema.primaryKey, indexes: schema.indexes)
    change(&parts)
    try declare([
      TableSchema(
        key: table, name: schema.name, kind: schema.kind, columns: parts.columns, primaryKey: parts.primaryKey,
        indexes: parts.indexes, nextColumn: UInt32(parts.columns.count))
    ])
  }
}
